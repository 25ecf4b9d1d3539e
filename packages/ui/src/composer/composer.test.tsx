import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Composer, type ComposerProps, whenOf } from './composer.tsx';

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

test('what is sent while a turn runs goes into it or after it', () => {
  expect(whenOf({ running: false, canSteer: true, other: true })).toBe('now');
  expect(whenOf({ running: true, canSteer: true, other: false })).toBe('steer');
  expect(whenOf({ running: true, canSteer: true, other: true })).toBe('queue');
  expect(whenOf({ running: true, canSteer: false, other: false })).toBe('queue');
});

test('the buttons follow the state', () => {
  expect(render({})).toMatch(/data-testid="send"/);
  expect(render({})).not.toContain('data-testid="interrupt"');
  expect(render({ running: true })).toContain('data-testid="interrupt"');
  expect(render({ running: true })).not.toContain('data-testid="send"');
  expect(render({ running: true, text: 'more' })).toContain('Steer');
  expect(render({ running: true, text: 'more', canSteer: false })).not.toContain('Steer');
});

test('a session that cannot be written says why and keeps the draft', () => {
  const html = render({ disabledReason: 'The session is open elsewhere.', text: 'my draft' });
  expect(html).toContain('The session is open elsewhere.');
  expect(html).toContain('my draft');
});
