/** What is said about commands whose effects no undo takes back, and about which nothing is said. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentEvent } from './agent-event.ts';
import { externalEffects, noCalls, noteCall } from './external-effects.ts';
import { simpleCommands } from './shell-words.ts';

const PLACE = { root: '/srv/app', cwd: '/srv/app/web' };
const of = (...commands: string[]): readonly string[] =>
  externalEffects(
    commands.map((command) => ({ name: 'bash', input: { command } })),
    PLACE,
  );

const PACKAGES = "packages may have been installed outside this folder's undo.";
const NETWORK = 'what it did over the network is not undone.';
const HISTORY = "the repository's history is not undone.";
const DATABASE = 'what it changed in a database is not undone.';
const SERVICES = 'what it changed in containers, clusters or services is not undone.';
const OUTSIDE = 'what it changed outside this folder is not undone.';

test.each([
  ['npm install left-pad', PACKAGES],
  ['npm ci', PACKAGES],
  ['yarn', PACKAGES],
  ['pnpm --filter web add zod', PACKAGES],
  ['npx create-app x', PACKAGES],
  ['pip install -r requirements.txt', PACKAGES],
  ['python3 -m pip install requests', PACKAGES],
  ['sudo -E apt-get install -y jq', PACKAGES],
  ['FOO=1 BAR="a b" npm i', PACKAGES],
  ['cargo install ripgrep', PACKAGES],
  ['npm publish', NETWORK],
  ['curl -sS https://example.com', NETWORK],
  ['timeout 5 wget x', NETWORK],
  ['ssh host uptime', NETWORK],
  ['scp a host:b', NETWORK],
  ['rsync -a dist/ me@host:/srv', NETWORK],
  ['/usr/bin/curl x', NETWORK],
  ['git push origin main', NETWORK],
  ['git commit -m "a; b && c"', HISTORY],
  ['git -C sub --no-pager reset --hard', HISTORY],
  ['git checkout -b x', HISTORY],
  ['git stash', HISTORY],
  ['git tag v1', HISTORY],
  ['git rebase main', HISTORY],
  ['git branch -D old', HISTORY],
  ['psql -c "drop table t"', DATABASE],
  ['redis-cli flushall', DATABASE],
  ['mongosh', DATABASE],
  ['docker run x', SERVICES],
  ['kubectl apply -f x.yml', SERVICES],
  ['systemctl restart nginx', SERVICES],
  ['rm -rf /var/cache/x', OUTSIDE],
  ['sqlite3 /var/lib/app.db "delete from t"', OUTSIDE],
  ['rm ~/.profile', OUTSIDE],
  ['cp a "$HOME/b"', OUTSIDE],
  ['touch ../../elsewhere', OUTSIDE],
  ['echo x > /etc/hosts', OUTSIDE],
  ['cat a >> ~/log', OUTSIDE],
  ['make --directory=/opt/x', OUTSIDE],
  ['sed -i s/a/b/ /etc/hosts', OUTSIDE],
  ['find /tmp -name x -delete', OUTSIDE],
  ['cd ../..', OUTSIDE],
])('%s', (command, consequence) => {
  expect(of(command)).toEqual([`Ran \`${command}\`: ${consequence}`]);
});

test.each([
  'npm test',
  'npm run build',
  'npm ls install',
  'yarn test',
  'git status && git log | head -5; git diff',
  'git branch',
  'git tag -l',
  'git stash list',
  'git remote -v',
  'rsync -a a/ b/',
  'sqlite3 data/app.db "delete from t"',
  'docker ps -a',
  'kubectl get pods',
  'cat /etc/hosts',
  'ls ~',
  'find / -name node_modules',
  'sed -n 1,5p /etc/hosts',
  'make > /dev/null 2>&1',
  'make &> build.log',
  'rm ../src/a.ts',
  'rm /srv/app/web/a',
  'cd .. && rm a',
  'echo "curl https://example.com"',
  "echo 'git push'",
  '# curl x',
  'node curl.js',
  '/usr/bin/python3 x.py',
  '',
])('nothing is said about: %s', (command) => {
  expect(of(command)).toEqual([]);
});

test.each<[string, readonly string[]]>([
  ['make && npm i; git push | tee log', ['npm i', 'git push']],
  ['if true; then curl a; fi', ['then curl a']],
  ['echo "$(curl a)" `wget b`', ['curl a', 'wget b']],
  ['bash -c "cd x && npm i"', ['npm i']],
  ['bash -lc "curl a"', ['curl a']],
  ["cat > run.sh <<'EOF'\ncurl a\ngit push\nEOF\nnpm i", ['npm i']],
  ['find . | xargs -n 1 curl', ['xargs -n 1 curl']],
  ['(cd /tmp; rm -rf x)', ['cd /tmp', 'rm -rf x']],
  ['npm i \\\n  left-pad', ['npm i \\ left-pad']],
])('%j: the commands in it are told apart', (command, found) => {
  const texts = of(command).map((effect) => /^Ran `(.*?)`: /.exec(effect)?.[1]);
  expect(texts).toEqual(found);
});

test('a command that works elsewhere after cd is named by its cd', () => {
  expect(of('cd /tmp && rm -rf x')).toHaveLength(2);
});

test('each sentence once, in order, at most twenty', () => {
  expect(of('npm i', 'curl a', 'npm i')).toHaveLength(2);
  const many = of(...Array.from({ length: 30 }, (_, n) => `curl ${n}`));
  expect(many).toHaveLength(20);
  expect(many[0]).toContain('curl 0');
  expect(many.at(-1)).toBe('11 more commands had effects that are not undone.');
});

test('nothing in a command can be hidden or drive a terminal', () => {
  const [effect = ''] = of('curl "\u001b[2J\u202ex" `');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is left is the point
  expect(effect).not.toMatch(/[\u0000-\u001f\u202e]/);
  expect(effect).toContain('[U+202E]');
  expect(effect.match(/`/g)).toHaveLength(2);
  expect(of(`curl ${'x'.repeat(5000)}`)[0]?.length).toBeLessThan(160);
});

test('other tools: a command as words, an MCP server, files of ours', () => {
  const effects = externalEffects(
    [
      { name: 'execute', input: { command: ['bash', '-lc', 'npm i'] } },
      { name: 'execute', input: { command: ['curl', 'a b'] } },
      { name: 'mcp__tracker__create_issue', input: { title: 'x' } },
      { name: 'write', input: { path: '/etc/hosts' } },
      { name: 'odd', input: null },
      { name: 'odd', input: { command: 7 } },
    ],
    PLACE,
  );
  expect(effects).toEqual([
    `Ran \`npm i\`: ${PACKAGES}`,
    `Ran \`curl 'a b'\`: ${NETWORK}`,
    'Called `mcp__tracker__create_issue` of an MCP server: what it did there is not undone.',
  ]);
});

test('only calls that ran count', () => {
  const events: AgentEvent[] = [
    { type: 'tool_call', call: 'a', name: 'bash', input: { command: 'curl a' } },
    { type: 'tool_call', call: 'b', name: 'bash', input: { command: 'curl b' } },
    { type: 'tool_call', call: 'c', name: 'bash', input: { command: 'curl c' } },
    { type: 'tool_start', call: 'b' },
    { type: 'tool_result', call: 'a', status: 'denied', output: 'no' },
    { type: 'tool_result', call: 'b', status: 'ok', output: '' },
    { type: 'tool_result', call: 'c', status: 'error', output: '' },
  ];
  const { ran } = events.reduce(noteCall, noCalls);
  expect([...ran.keys()]).toEqual(['b', 'c']);
});

test('whatever a command holds, it is read to its end', () => {
  const pieces = fc.constantFrom(
    '"',
    "'",
    '`',
    '$(',
    ')',
    '\\',
    '\n',
    ' ',
    '>',
    '>>',
    '2>&1',
    '<<A',
    '#',
    ';',
    '&',
    '|',
    'a',
    '{',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      expect(Array.isArray(simpleCommands(parts.join('')))).toBe(true);
    }),
  );
});
