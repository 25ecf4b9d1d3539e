/** A user line of Claude Code: a prompt, results of tools, a summary that takes the place of what was before. */
import type { Part } from '../../record/parts.ts';
import { markTurn, push, pushPrompt } from '../chain.ts';
import { addChange, countDiffLines } from '../changes.ts';
import { type JsonObject, joinedText, listOf, numberOf, objectOf, objectsOf, textOf } from '../json.ts';
import { placeLine } from './place-line.ts';
import type { ClaudeState } from './state.ts';
import { refusalIn, type Said, saidIn } from './words.ts';

interface UserLine {
  readonly object: JsonObject;
  readonly line: number;
  readonly key: string;
}

export const readUser = (state: ClaudeState, user: UserLine): void => {
  const content = objectOf(user.object['message'])?.['content'];
  const results = objectsOf(content).filter(({ type }) => type === 'tool_result');
  const texts = textsOf(content);
  const images = objectsOf(content).flatMap((block) => imageOf(block) ?? []);
  if (user.object['isCompactSummary'] === true) {
    readSummary(state, user, texts.join('\n'));
    return;
  }
  const isMeta = user.object['isMeta'] === true || results.length > 0;
  const said = texts.map((text): Said => (isMeta ? asNote(saidIn(text)) : saidIn(text)));
  const prompts = said.filter(({ kind }) => kind === 'prompt');
  const isPrompt = prompts.some(({ text }) => text.trim() !== '') || (!isMeta && images.length > 0);
  placeLine(state, { ...user, isPrompt });
  if (results.length > 0) readResults(state, user, results);
  const others = said.filter(({ kind }) => kind !== 'prompt');
  if (others.length > 0) readNotes(state, user, others);
  if (isPrompt) readPrompt(state, user, [...prompts.map(({ text }) => textPart(text)), ...images]);
};

const textPart = (text: string): Part => ({ type: 'text', text });

const asNote = (said: Said): Said => (said.kind === 'prompt' ? { ...said, kind: 'note' } : said);

const textsOf = (content: unknown): readonly string[] => {
  const plain = textOf(content);
  if (plain !== null) return [plain];
  return objectsOf(content).flatMap((block) =>
    block['type'] === 'text' ? (textOf(block['text']) ?? []) : [],
  );
};

/** Only images that lie in the file itself: nothing is ever fetched. */
export const imageOf = (block: JsonObject): Part | null => {
  const source = objectOf(block['source']);
  if (block['type'] !== 'image' || source === null) return null;
  const [mime, data] = [textOf(source['media_type']), textOf(source['data'])];
  return mime === null || data === null ? null : { type: 'image', mime, data };
};

function readPrompt(state: ClaudeState, user: UserLine, parts: Part[]): void {
  const place = { key: user.key, at: user.object['timestamp'], line: user.line };
  pushPrompt(state.chain, place, { kind: 'message', role: 'user', parts });
  const thread = state.threads[state.thread];
  if (thread !== undefined) thread.turns += 1;
}

function readNotes(state: ClaudeState, user: UserLine, said: readonly Said[]): void {
  if (said.some(({ kind }) => kind === 'interrupted')) markTurn(state.chain, 'aborted');
  const parts = said.map(({ text }): Part => ({ type: 'note', text }));
  const place = { key: `${user.key}/note`, at: user.object['timestamp'], line: user.line };
  push(state.chain, place, { kind: 'message', role: 'user', by: 'bridge', parts });
}

function readResults(state: ClaudeState, user: UserLine, results: readonly JsonObject[]): void {
  const parts = results.flatMap((block): Part[] => {
    const output = joinedText(block['content']) ?? '';
    const refusal = refusalIn(output);
    const status = refusal ?? (block['is_error'] === true ? 'error' : 'ok');
    const images = objectsOf(block['content']).flatMap((inner) => imageOf(inner) ?? []);
    return [{ type: 'tool_result', call: textOf(block['tool_use_id']) ?? '', status, output }, ...images];
  });
  const place = { key: `${user.key}/results`, at: user.object['timestamp'], line: user.line };
  push(state.chain, place, { kind: 'message', role: 'tool', parts });
  readChange(state, user.object);
}

/** What an edit changed is told beside its result, where the tool says it at all. */
function readChange(state: ClaudeState, object: JsonObject): void {
  const told = objectOf(object['toolUseResult']);
  const path = told === null ? null : textOf(told['filePath']);
  if (told === null || path === null || !Array.isArray(told['structuredPatch'])) return;
  const isNew = told['type'] === 'create' || (told['originalFile'] === null && told['content'] !== undefined);
  const patch = objectsOf(told['structuredPatch']).flatMap(({ lines }) => listOf(lines));
  const content = textOf(told['content']);
  const counts =
    isNew && patch.length === 0 && content !== null
      ? { added: content.split('\n').length, removed: 0 }
      : countDiffLines(patch.flatMap((line) => textOf(line) ?? []));
  addChange(state.chain, { path, status: isNew ? 'added' : 'modified', ...counts });
}

function readSummary(state: ClaudeState, user: UserLine, summary: string): void {
  placeLine(state, { ...user, isPrompt: false });
  const { trigger, tokensBefore } = state.compacting ?? { trigger: 'auto' as const, tokensBefore: null };
  state.compacting = null;
  const place = { key: user.key, at: user.object['timestamp'], line: user.line };
  const tokens = tokensBefore === null ? {} : { tokensBefore };
  push(state.chain, place, { kind: 'digest', summary, keepFrom: null, trigger, ...tokens });
}

/** `system/compact_boundary`: the summary follows. */
export const readBoundary = (state: ClaudeState, object: JsonObject): void => {
  const told = objectOf(object['compactMetadata']);
  const tokensBefore = numberOf(told?.['preTokens']);
  state.compacting = {
    trigger: told?.['trigger'] === 'manual' ? 'user' : 'auto',
    tokensBefore: tokensBefore === null || tokensBefore < 0 ? null : tokensBefore,
  };
};
