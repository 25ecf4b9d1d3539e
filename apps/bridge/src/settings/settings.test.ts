import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lenientConfig } from './config-file.ts';
import { type ProviderEnvironments, resolveProviders } from './providers.ts';
import { openSettings } from './settings.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'skein-settings-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const open = (environment: ProviderEnvironments = {}) =>
  openSettings({ configDir: dir, dataDir: '/data', environment });
const inDir = (name: string) => join(dir, name);
const readText = (name: string) => readFile(inDir(name), 'utf8');

describe('config.json', () => {
  test('is empty when there is none, and reading writes nothing', async () => {
    expect(await open().config()).toEqual({ config: {}, problems: [] });
    await expect(stat(inDir('config.json'))).rejects.toThrow(/ENOENT/);
  });

  test('keeps keys that we do not know', async () => {
    await writeFile(inDir('config.json'), '{"zz":1,"theme":"dark"}');
    await open().update({ agent: 'script' });
    expect(JSON.parse(await readText('config.json'))).toEqual({ zz: 1, theme: 'dark', agent: 'script' });
    await open().update({ agent: null, model: null });
    expect(JSON.parse(await readText('config.json'))).toEqual({ zz: 1, theme: 'dark' });
  });

  test('holds every one of 50 edits at the same time', async () => {
    const stores = Array.from({ length: 50 }, () => open());
    const id = (index: number) => `p${index}`;
    await Promise.all(stores.map((store, index) => store.setKey(id(index), `key-${index}`)));
    expect((await open().secrets()).length).toBe(50);
  });

  test('a value that does not fit is reported with its path, the rest holds', async () => {
    const raw = {
      mode: 'wild',
      port: 70_000,
      model: 'a/b',
      providers: { good: { kind: 'openai' }, bad: { kind: 'x' }, 'Not An Id': { kind: 'openai' } },
    };
    await writeFile(inDir('config.json'), JSON.stringify(raw));
    const { config, problems } = await open().config();
    expect(config).toEqual({ model: 'a/b', providers: { good: { kind: 'openai' } } });
    expect(problems.map((problem) => problem.split(': ')[1])).toEqual(
      expect.arrayContaining(['mode', 'port', 'providers.bad.kind']),
    );
    await open().update({ theme: 'light' });
    expect(JSON.parse(await readText('config.json'))).toEqual({ ...raw, theme: 'light' });
  });

  test('that is no JSON is reported, used as empty and never overwritten', async () => {
    await writeFile(inDir('config.json'), '{"model": "a/b",}');
    expect((await open().config()).problems).toHaveLength(1);
    await expect(open().update({ theme: 'dark' })).rejects.toMatchObject({ code: 'unreadable' });
    expect(await readText('config.json')).toBe('{"model": "a/b",}');
    expect(lenientConfig([]).problems).toHaveLength(1);
  });
});

describe('credentials.json', () => {
  test('is private, and its keys are for agents only', async () => {
    const settings = open();
    await settings.setKey('openai', ' sk-file \n');
    expect(await settings.getKey('openai')).toBe('sk-file');
    expect((await stat(inDir('credentials.json'))).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(await settings.describe())).not.toContain('sk-file');
    await settings.setKey('openai', null);
    expect(await settings.getKey('openai')).toBeNull();
    expect(await settings.getKey('toString')).toBeNull();
  });

  test('that others could read is made private', async () => {
    const settings = open();
    await settings.setKey('openai', 'sk-file');
    await chmod(inDir('credentials.json'), 0o644);
    await settings.getKey('openai');
    expect((await stat(inDir('credentials.json'))).mode & 0o777).toBe(0o600);
  });

  test('of another shape is refused without quoting it, and left alone', async () => {
    const text = '{"keys":{"openai":["sk-secret"]}}';
    await writeFile(inDir('credentials.json'), text, { mode: 0o600 });
    const failed = await open()
      .getKey('openai')
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'unreadable' });
    expect(JSON.stringify(failed) + String(failed)).not.toContain('sk-secret');
    await expect(open().setKey('google', 'x')).rejects.toMatchObject({ code: 'unreadable' });
    expect(await readText('credentials.json')).toBe(text);
  });

  test('wins over the environment, and both are told to the redactor', async () => {
    const settings = open({ openai: { key: 'sk-env', baseUrl: undefined } });
    expect(await settings.getKey('openai')).toBe('sk-env');
    await settings.setKey('openai', 'sk-file');
    expect(await settings.getKey('openai')).toBe('sk-file');
    expect(await settings.secrets()).toEqual(['sk-file', 'sk-env']);
  });
});

describe('providers', () => {
  const resolve = (sources: Partial<Parameters<typeof resolveProviders>[0]>) =>
    new Map(
      resolveProviders({ config: {}, environment: {}, stored: [], ...sources }).map((provider) => [
        provider.id,
        provider,
      ]),
    );

  test('say where their key comes from', () => {
    const found = resolve({
      environment: { google: { key: 'k', baseUrl: undefined } },
      stored: ['anthropic'],
    });
    expect([...found].map(([id, { key }]) => [id, key])).toEqual([
      ['anthropic', 'file'],
      ['openai', 'none'],
      ['google', 'environment'],
      ['ollama', 'not_needed'],
      ['lmstudio', 'not_needed'],
      ['vllm', 'not_needed'],
    ]);
  });

  test('the user wins over the environment, and that over the preset', () => {
    const environment = { openai: { key: 'k', baseUrl: 'http://10.0.0.2/v1' } };
    expect(resolve({ environment }).get('openai')?.config).toMatchObject({
      kind: 'openai-compatible',
      baseUrl: 'http://10.0.0.2/v1',
    });
    const config = {
      providers: { openai: { kind: 'openai' as const, baseUrl: 'https://api.openai.com/v1' } },
    };
    expect(resolve({ environment, config }).get('openai')?.config).toEqual({
      kind: 'openai',
      title: 'OpenAI',
      baseUrl: 'https://api.openai.com/v1',
    });
    expect(
      resolve({ environment: { openai: { key: 'k', baseUrl: 'no url' } } }).get('openai')?.config.kind,
    ).toBe('openai');
  });

  test('an endpoint of the public network needs a key, one nearby does not', () => {
    const needs = (baseUrl: string) =>
      resolve({ config: { providers: { mine: { kind: 'openai-compatible', baseUrl } } } }).get('mine')?.key;
    for (const near of [
      'http://localhost:1/v1',
      'http://[::1]:1',
      'http://192.168.1.2',
      'http://box.local',
    ]) {
      expect(needs(near), near).toBe('not_needed');
    }
    for (const far of [
      'https://api.example.com',
      'http://127.0.0.1.nip.io',
      'http://172.32.0.1',
      'http://localhost.evil',
    ]) {
      expect(needs(far), far).toBe('none');
    }
  });
});
