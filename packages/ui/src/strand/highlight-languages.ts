/** The names of the languages that are coloured; the grammars themselves are in highlight-grammars.ts. */

const LANGUAGES: ReadonlySet<string> = new Set(
  'bash c cpp csharp css diff docker go graphql html ini java javascript json jsx kotlin lua make markdown php python ruby rust scss sql swift toml tsx typescript vue xml yaml'.split(
    ' ',
  ),
);

const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sh: 'bash',
    shell: 'bash',
    zsh: 'bash',
    console: 'bash',
    'c++': 'cpp',
    cc: 'cpp',
    hpp: 'cpp',
    h: 'c',
    cs: 'csharp',
    'c#': 'csharp',
    patch: 'diff',
    dockerfile: 'docker',
    golang: 'go',
    gql: 'graphql',
    htm: 'html',
    js: 'javascript',
    mjs: 'javascript',
    cjs: 'javascript',
    jsonc: 'json',
    json5: 'json',
    jsonl: 'json',
    kt: 'kotlin',
    makefile: 'make',
    md: 'markdown',
    mdx: 'markdown',
    py: 'python',
    rb: 'ruby',
    rs: 'rust',
    ts: 'typescript',
    mts: 'typescript',
    cts: 'typescript',
    yml: 'yaml',
    svg: 'xml',
  }),
);

/** The name under which a language is loaded, or null when it is not coloured. */
export const languageOf = (name: string | undefined): string | null => {
  if (name === undefined) return null;
  const lower = name.toLowerCase();
  const known = ALIASES.get(lower) ?? lower;
  return LANGUAGES.has(known) ? known : null;
};

/** The language of a file by its ending. */
export const languageOfPath = (path: string): string | undefined => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name;
  return languageOf(ending) === null ? undefined : ending.toLowerCase();
};
