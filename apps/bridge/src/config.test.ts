import { expect, test } from 'vitest';
import { readEnvironment, readProcessEnvironment } from './config.ts';

const LINUX = { platform: 'linux', home: '/root', version: '1' } as const;

test('an empty variable counts as absent', () => {
  const environment = readEnvironment(
    { SKEIN_DATA_DIR: '', ANTHROPIC_API_KEY: '', EDITOR: 'vi', VISUAL: '' },
    LINUX,
  );
  expect(environment.paths.skeinDataDir).toBeUndefined();
  expect(environment.providers.anthropic.key).toBeUndefined();
  expect(environment.editor).toBe('vi');
});

test('keys and endpoints of providers are told apart', () => {
  const { providers } = readEnvironment(
    { OPENAI_API_KEY: 'a', OPENAI_BASE_URL: 'http://x', GEMINI_API_KEY: 'b', ANTHROPIC_BASE_URL: 'http://y' },
    LINUX,
  );
  expect(providers).toEqual({
    anthropic: { key: undefined, baseUrl: 'http://y' },
    openai: { key: 'a', baseUrl: 'http://x' },
    google: { key: 'b', baseUrl: undefined },
  });
});

test('a pane of a multiplexer is a terminal of its own, within its server', () => {
  const pane = (TMUX: string, TMUX_PANE: string) =>
    readEnvironment({ TMUX, TMUX_PANE, TERM_SESSION_ID: 'w0' }, LINUX).terminal;
  expect(pane('/tmp/a,1,0', '%1')).not.toBe(pane('/tmp/a,1,0', '%2'));
  expect(pane('/tmp/a,1,0', '%1')).not.toBe(pane('/tmp/b,2,0', '%1'));
  expect(pane('/tmp/a,1,0', '%1')).toBe(pane('/tmp/a,1,7', '%1'));
  expect(readEnvironment({ TERM_SESSION_ID: 'w0' }, LINUX).terminal).toBe('term_session_id:w0');
  expect(readEnvironment({}, LINUX).terminal).toBeNull();
});

test('a run from source has the version of the protocol', () => {
  expect(readProcessEnvironment().version).toMatch(/^\d+\.\d+\.\d+/);
});
