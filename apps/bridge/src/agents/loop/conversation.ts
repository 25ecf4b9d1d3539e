/**
 * Records to model messages. The same function makes the first message of a turn and the last, so that what
 * a provider has cached stays a prefix of what it is sent next. Invariants: every call has exactly one
 * result right behind it, call ids are unique and of letters that every provider takes, thinking goes back
 * only to the model that made it, no message is empty.
 */

import type { Content, Part } from '@skein/core/record/parts';
import { type PathRef, showPath } from '@skein/core/record/path-ref';
import type { ContextMessage } from '@skein/core/strand/context';
import type { AssistantModelMessage, ModelMessage, ToolModelMessage, UserModelMessage } from 'ai';
import { assistantContent } from './assistant-content.ts';
import { createCallNames } from './call-names.ts';
import { modelView } from './model-view.ts';

export interface ConversationOptions {
  /** `provider/model` of the calls to come. */
  readonly model: string;
  readonly sendsUnsignedThinking: boolean;
  readonly readSpill: (sha256: string) => Promise<Uint8Array>;
  /** The content of a mentioned file, or a sentence why there is none. */
  readonly readMention: (path: PathRef) => Promise<string>;
}

/** Enough of a context message to convert it; messages of the running turn have no record yet. */
export type Spoken = Pick<ContextMessage, 'role' | 'parts' | 'model'>;

export interface Conversation {
  readonly messages: readonly ModelMessage[];
  /** `mentions`: files named by this message are read now; in older ones only their names stand. */
  add(message: Spoken, options?: { readonly mentions: boolean }): Promise<void>;
}

export const openConversation = (options: ConversationOptions): Conversation => {
  const messages: ModelMessage[] = [];
  const names = createCallNames();
  const textOf = async (content: Content): Promise<string> =>
    typeof content === 'string'
      ? content
      : Buffer.from(await options.readSpill(content.sha256)).toString('utf8');
  return {
    messages,
    async add(message, { mentions } = { mentions: false }) {
      if (message.role === 'tool') return addResults(message.parts);
      closeCalls();
      if (message.role === 'user') {
        const readMention = mentions ? options.readMention : null;
        const content = await userContent(message.parts, { textOf, readMention });
        if (content.length > 0) messages.push({ role: 'user', content } satisfies UserModelMessage);
        return;
      }
      const content = await assistantContent(message, { ...options, textOf, names });
      if (content.length > 0) messages.push({ role: 'assistant', content } satisfies AssistantModelMessage);
    },
  };

  async function addResults(parts: readonly Part[]): Promise<void> {
    for (const part of parts) {
      if (part.type === 'tool_result') addResult(part.call, await viewOf(part, textOf));
    }
  }

  function addResult(call: string, view: { readonly text: string; readonly ok: boolean }): void {
    const wire = names.close(call);
    if (wire === null) return;
    const content: ToolModelMessage['content'] = [
      {
        type: 'tool-result',
        toolCallId: wire.id,
        toolName: wire.name,
        output: { type: view.ok ? 'text' : 'error-text', value: view.text },
      },
    ];
    const last = messages.at(-1);
    if (last?.role === 'tool') last.content.push(...content);
    else messages.push({ role: 'tool', content });
  }

  function closeCalls(): void {
    for (const call of names.open()) addResult(call, { text: '[interrupted]', ok: false });
  }
};

const viewOf = async (
  part: Extract<Part, { type: 'tool_result' }>,
  textOf: (content: Content) => Promise<string>,
): Promise<{ text: string; ok: boolean }> => ({
  text: modelView({ ...part, output: await textOf(part.output) }),
  ok: part.status === 'ok',
});

interface UserContext {
  readonly textOf: (content: Content) => Promise<string>;
  readonly readMention: ((path: PathRef) => Promise<string>) | null;
}

type UserContent = Exclude<UserModelMessage['content'], string>;

const userContent = async (parts: readonly Part[], context: UserContext): Promise<UserContent> => {
  const content: UserContent = [];
  for (const part of parts) {
    if (part.type === 'image') {
      const data = Buffer.from(await context.textOf(part.data), 'base64');
      content.push({ type: 'file', mediaType: part.mime, data });
    } else {
      const text = await userText(part, context);
      if (text.trim() !== '') content.push({ type: 'text', text: text.toWellFormed() });
    }
  }
  return content;
};

const userText = async (part: Part, context: UserContext): Promise<string> => {
  if (part.type === 'text') return context.textOf(part.text);
  if (part.type === 'note') return `<note from="skein">\n${await context.textOf(part.text)}\n</note>`;
  if (part.type !== 'mention') return '';
  const path = showPath(part.path);
  if (context.readMention === null)
    return `<file path="${path}">(mentioned earlier; read it for its content)</file>`;
  return `<file path="${path}">\n${await context.readMention(part.path)}\n</file>`;
};
