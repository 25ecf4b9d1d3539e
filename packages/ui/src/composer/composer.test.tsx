import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Composer, type ComposerProps } from './composer.tsx';

const nothing = () => undefined;
const PROPS: ComposerProps = {
  text: '',
  onText: nothing,
  images: [],
  onImages: nothing,
  onSend: nothing,
  running: false,
  canSteer: true,
  onInterrupt: nothing,
  queue: [],
  onRemoveQueued: nothing,
  acceptsImages: true,
  pickers: { agents: [], agent: 'script', model: null, mode: null },
  disabledReason: null,
};
const render = (props: Partial<ComposerProps>) => renderToStaticMarkup(<Composer {...PROPS} {...props} />);

test('the buttons follow the state', () => {
  expect(render({})).toMatch(/data-testid="send"/);
  expect(render({})).not.toContain('data-testid="interrupt"');
  expect(render({ running: true })).toContain('data-testid="interrupt"');
  expect(render({ running: true })).not.toContain('data-testid="send"');
  expect(render({ running: true, text: 'more' })).toContain('Steer');
  expect(render({ running: true, text: 'more', canSteer: false })).not.toContain('Steer');
});

test('a turn that runs offers a choice only when the agent can be steered', () => {
  expect(render({ running: true })).toContain('After this turn');
  expect(render({ running: true, canSteer: false })).not.toContain('After this turn');
  expect(render({})).not.toContain('After this turn');
  expect(render({ running: true, text: 'more', followUp: 'queue' })).toMatch(/data-testid="send".*Queue/);
});

test('a prompt that the bridge would refuse says so before it is sent', () => {
  expect(render({ text: 'x'.repeat(2_000_001) })).toContain('2,000,001 characters; 2,000,000 can be sent');
});

test('a session that cannot be written says why and keeps the draft', () => {
  const html = render({ disabledReason: 'The session is open elsewhere.', text: 'my draft' });
  expect(html).toContain('The session is open elsewhere.');
  expect(html).toContain('my draft');
});
