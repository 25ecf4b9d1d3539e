/** The grammars, each loaded when it is first seen. Only the worker needs this list. */
import type { LanguageInput } from 'shiki/core';

const GRAMMARS: ReadonlyMap<string, () => Promise<LanguageInput>> = new Map<
  string,
  () => Promise<LanguageInput>
>([
  ['bash', () => import('shiki/langs/bash.mjs')],
  ['c', () => import('shiki/langs/c.mjs')],
  ['cpp', () => import('shiki/langs/cpp.mjs')],
  ['csharp', () => import('shiki/langs/csharp.mjs')],
  ['css', () => import('shiki/langs/css.mjs')],
  ['diff', () => import('shiki/langs/diff.mjs')],
  ['docker', () => import('shiki/langs/docker.mjs')],
  ['go', () => import('shiki/langs/go.mjs')],
  ['graphql', () => import('shiki/langs/graphql.mjs')],
  ['html', () => import('shiki/langs/html.mjs')],
  ['ini', () => import('shiki/langs/ini.mjs')],
  ['java', () => import('shiki/langs/java.mjs')],
  ['javascript', () => import('shiki/langs/javascript.mjs')],
  ['json', () => import('shiki/langs/json.mjs')],
  ['jsx', () => import('shiki/langs/jsx.mjs')],
  ['kotlin', () => import('shiki/langs/kotlin.mjs')],
  ['lua', () => import('shiki/langs/lua.mjs')],
  ['make', () => import('shiki/langs/make.mjs')],
  ['markdown', () => import('shiki/langs/markdown.mjs')],
  ['php', () => import('shiki/langs/php.mjs')],
  ['python', () => import('shiki/langs/python.mjs')],
  ['ruby', () => import('shiki/langs/ruby.mjs')],
  ['rust', () => import('shiki/langs/rust.mjs')],
  ['scss', () => import('shiki/langs/scss.mjs')],
  ['sql', () => import('shiki/langs/sql.mjs')],
  ['swift', () => import('shiki/langs/swift.mjs')],
  ['toml', () => import('shiki/langs/toml.mjs')],
  ['tsx', () => import('shiki/langs/tsx.mjs')],
  ['typescript', () => import('shiki/langs/typescript.mjs')],
  ['vue', () => import('shiki/langs/vue.mjs')],
  ['xml', () => import('shiki/langs/xml.mjs')],
  ['yaml', () => import('shiki/langs/yaml.mjs')],
]);

export const loadLanguage = (language: string): Promise<LanguageInput> => {
  const load = GRAMMARS.get(language);
  return load === undefined ? Promise.reject(new Error(`no grammar for ${language}`)) : load();
};
