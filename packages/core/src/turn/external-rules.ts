/** What a program with these words may have done that no undo of files takes back. Table, not proof. */

export type ExternalKind = 'packages' | 'network' | 'history' | 'database' | 'services';

/** `args` are the words after the program's name. Null: nothing of the kind is known. */
export const externalKind = (program: string, args: readonly string[]): ExternalKind | null => {
  const name = program.slice(program.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'git') return gitKind(args);
  if (/^python[\d.]*$/.test(name))
    return args[0] === '-m' && args[1] === 'pip' ? externalKind('pip', args.slice(2)) : null;
  const installing = INSTALLING.get(name);
  if (installing !== undefined) return installs(name, args, installing);
  if (ALWAYS_PACKAGES.has(name)) return 'packages';
  if (name === 'rsync') return args.some(isRemote) ? 'network' : null;
  if (NETWORK.has(name)) return 'network';
  if (DATABASES.has(name)) return 'database';
  const reading = SERVICES.get(name);
  if (reading === undefined) return null;
  return reading.has(firstPlain(args) ?? '') ? null : 'services';
};

export const isRemote = (word: string): boolean =>
  /^(?:[\w.-]+@)?[\w.-]+:(?!\/\/)./.test(word) || /^(?:rsync|ssh):\/\//.test(word);

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const JS_PACKAGES = set(
  'install i ci add update upgrade up remove uninstall rm un link unlink dlx x create publish exec',
);
const INSTALLING: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['npm', JS_PACKAGES],
  ['pnpm', JS_PACKAGES],
  ['yarn', JS_PACKAGES],
  ['bun', JS_PACKAGES],
  ['pip', set('install uninstall download')],
  ['pip3', set('install uninstall download')],
  ['pipx', set('install uninstall upgrade run inject')],
  ['uv', set('pip add remove sync tool')],
  ['poetry', set('install add remove update publish')],
  ['pipenv', set('install uninstall update sync')],
  ['conda', set('install create remove update env')],
  ['mamba', set('install create remove update env')],
  ['gem', set('install uninstall update push')],
  ['bundle', set('install update add')],
  ['cargo', set('install uninstall publish')],
  ['go', set('get install')],
  ['brew', set('install uninstall upgrade reinstall tap services')],
  ['apt', set('install remove purge update upgrade full-upgrade autoremove')],
  ['apt-get', set('install remove purge update upgrade dist-upgrade autoremove')],
  ['dnf', set('install remove update upgrade')],
  ['yum', set('install remove update upgrade')],
  ['apk', set('add del update upgrade')],
  ['snap', set('install remove refresh')],
  ['flatpak', set('install uninstall update')],
  ['composer', set('install require update remove global')],
  ['dotnet', set('restore tool add workload')],
  ['rustup', set('install update toolchain target component default')],
]);
const ALWAYS_PACKAGES = set('npx pnpx bunx uvx pacman');
/** Without a word they install what the project names. */
const BARE_INSTALLS = set('yarn bundle composer');

const NETWORK = set(
  'curl wget ssh scp sftp ftp telnet nc ncat http https xh gh glab aws gcloud az heroku vercel netlify fly flyctl wrangler',
);
const DATABASES = set(
  'psql mysql mariadb redis-cli mongosh mongo pg_restore createdb dropdb mysqladmin mysqlimport',
);
/** With the words that only look. */
const SERVICES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['docker', set('ps images logs inspect version info stats top')],
  ['docker-compose', set('ps logs config')],
  ['podman', set('ps images logs inspect version info')],
  ['kubectl', set('get describe logs explain version top')],
  ['helm', set('list ls status get template version')],
  ['systemctl', set('status is-active is-enabled show list-units cat')],
  ['service', set('')],
  ['launchctl', set('list print')],
  ['crontab', set('-l')],
  ['terraform', set('plan validate fmt show version')],
  ['ansible-playbook', set('')],
]);

function installs(name: string, args: readonly string[], known: ReadonlySet<string>): ExternalKind | null {
  const verb = firstPlain(withoutOptions(args));
  if (verb === undefined) return BARE_INSTALLS.has(name) && args.length === 0 ? 'packages' : null;
  if (verb === 'publish' || verb === 'push') return 'network';
  return known.has(verb) ? 'packages' : null;
}

const HISTORY = set(
  'commit reset checkout switch rebase merge cherry-pick revert am pull fetch clone init gc reflog update-ref filter-branch filter-repo notes replace submodule',
);
/** With what makes them only look: no word at all, or one of these. */
const SOMETIMES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['branch', set('-a -r -v -vv --list --show-current --contains --all')],
  ['tag', set('-l --list -n --contains')],
  ['remote', set('-v show get-url')],
  ['worktree', set('list')],
]);
const GIT_OPTIONS_WITH_VALUE = set('-C -c --git-dir --work-tree --namespace');

function gitKind(args: readonly string[]): ExternalKind | null {
  let at = 0;
  while (args[at]?.startsWith('-') === true) at += GIT_OPTIONS_WITH_VALUE.has(args[at] ?? '') ? 2 : 1;
  const verb = args[at] ?? '';
  const next = args[at + 1];
  if (verb === 'push') return 'network';
  if (verb === 'stash') return next === 'list' || next === 'show' ? null : 'history';
  if (HISTORY.has(verb)) return 'history';
  const looking = SOMETIMES.get(verb);
  return looking === undefined || next === undefined || looking.has(next) ? null : 'history';
}

const OPTIONS_WITH_VALUE = set(
  '--filter -F --prefix -C --dir --cwd --workspace --manifest-path -p --project',
);

function withoutOptions(args: readonly string[]): readonly string[] {
  return args.filter((word, at) => !word.startsWith('-') && !OPTIONS_WITH_VALUE.has(args[at - 1] ?? ''));
}

function firstPlain(args: readonly string[]): string | undefined {
  return args.find((word) => !word.startsWith('-')) ?? (args[0] === '-l' ? '-l' : undefined);
}
