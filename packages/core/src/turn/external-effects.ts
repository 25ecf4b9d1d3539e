/**
 * What a turn did that undo cannot take back, by rule and in words: commands that install, that talk to other machines,
 * that write the repository's history, a database or another folder. The rules read the command, not its effect: they
 * name what may have happened.
 */
import { oneLine, truncate } from '../text/truncate.ts';
import { visibleMarks } from '../text/visible-marks.ts';

/** The name and the input of a tool call that ran. */
export interface RanCall {
  readonly name: string;
  readonly input: unknown;
}

const MAX_EFFECTS = 20;
const MAX_COMMAND = 120;

/** In the order in which they ran, each once. */
export const externalEffects = (calls: readonly RanCall[], root: string): readonly string[] => {
  const effects = calls.flatMap((call) => commandsIn(call)).flatMap((command) => effectOf(command, root));
  return [...new Set(effects)].slice(0, MAX_EFFECTS);
};

function commandsIn({ name, input }: RanCall): readonly string[] {
  if (name !== 'bash' || typeof input !== 'object' || input === null) return [];
  const command = 'command' in input ? input.command : undefined;
  return typeof command === 'string' ? splitCommands(command) : [];
}

/** At `&&`, `||`, `;`, `|`, `&` and line ends outside quotes. Rough on purpose: a rule that misses is no danger. */
function splitCommands(text: string): readonly string[] {
  const commands: string[] = [];
  let [current, quote] = ['', ''];
  for (const character of text.slice(0, 20_000)) {
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (/[;&|\n]/.test(character)) {
      commands.push(current);
      current = '';
      continue;
    }
    current += character;
  }
  return [...commands, current].map((command) => command.trim()).filter((command) => command !== '');
}

interface Rule {
  readonly when: RegExp;
  readonly says: string;
}

const RULES: readonly Rule[] = [
  {
    when: /^(npm|pnpm|yarn|bun) (i|in|install|ci|add|remove|rm|uninstall|update|up|upgrade|link|publish)\b/,
    says: 'packages outside what is captured may have changed',
  },
  {
    when: /^((pip3?|pipx|uv|poetry|conda|gem|cargo|go|brew|apk|composer|bundle|dotnet|mvn) (install|add|remove|uninstall|update|upgrade|get|sync|publish)|(apt|apt-get|dnf|yum|pacman|snap)\b)/,
    says: 'packages on this machine may have changed',
  },
  { when: /^git (push|send-email)\b/, says: 'another repository may have changed' },
  {
    when: /^git (commit|merge|rebase|reset|checkout|switch|branch|tag|stash|cherry-pick|revert|pull|fetch|am|worktree|config|submodule|gc|reflog)\b/,
    says: 'the repository itself (history, branches, index, settings) is not taken back',
  },
  {
    when: /^(curl|wget|ssh|scp|sftp|rsync|nc|ncat|telnet|ftp|gh|glab|aws|gcloud|az|flyctl|vercel|netlify|heroku)\b/,
    says: 'it talks to other machines',
  },
  {
    when: /^(psql|mysql|mariadb|mongosh?|redis-cli|sqlite3|createdb|dropdb|prisma|alembic|flyway|knex|sequelize)\b/,
    says: 'data in a database is not taken back',
  },
  {
    when: /^(docker|podman|kubectl|helm|terraform|ansible|systemctl|service|launchctl|crontab)\b/,
    says: 'containers, services or machines may have changed',
  },
];

function effectOf(command: string, root: string): readonly string[] {
  const bare = withoutPrefix(command);
  const name = `\`${visibleMarks(truncate(oneLine(command), MAX_COMMAND))}\``;
  const rule = RULES.find(({ when }) => when.test(bare));
  if (rule !== undefined) return [`${name}: ${rule.says}.`];
  return writesElsewhere(bare, root) ? [`${name}: files outside this folder are not taken back.`] : [];
}

/** `FOO=1 sudo env npx tool` is about the tool. */
function withoutPrefix(command: string): string {
  const words = /^((\w+=\S*|sudo( -\w+)*|env|nice|nohup|time|exec|command|npx|pnpx|bunx|\()\s+)+/;
  return command.replace(words, '').replace(/^\S*\//, '');
}

const WRITERS = /^(cp|mv|rm|mkdir|rmdir|touch|ln|install|tee|dd|chmod|chown|truncate|unzip|tar|sed -i)\b/;

/** A command that writes and names an absolute path, the home folder or one above, or sends output there. */
function writesElsewhere(command: string, root: string): boolean {
  const redirected = [...command.matchAll(/>>?\s*(\S+)/g)].map(([, path]) => path ?? '');
  const named = WRITERS.test(command) ? command.split(/\s+/).slice(1) : [];
  return [...redirected, ...named].some((word) => isElsewhere(word.replace(/^["']|["']$/g, ''), root));
}

function isElsewhere(path: string, root: string): boolean {
  if (/^\/dev\/(null|stdout|stderr|tty)$/.test(path)) return false;
  if (path === root || path.startsWith(`${root}/`)) return path.includes('/../');
  return (
    path.startsWith('/') ||
    path.startsWith('~') ||
    path.startsWith('$HOME') ||
    path === '..' ||
    path.startsWith('../')
  );
}
