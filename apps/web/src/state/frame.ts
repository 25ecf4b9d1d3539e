/** Runs work once per animation frame, or a few times a second in a hidden tab, where frames stand still. */

export interface FrameLoop {
  /** Asks for one run; several requests before it make one run. */
  readonly request: () => void;
  readonly stop: () => void;
}

const HIDDEN_MS = 250;

export function createFrameLoop(run: () => void): FrameLoop {
  let cancel: (() => void) | null = null;
  const fire = () => {
    cancel = null;
    run();
  };
  return {
    request: () => {
      if (cancel !== null) return;
      if (document.visibilityState === 'hidden') {
        const timer = setTimeout(fire, HIDDEN_MS);
        cancel = () => clearTimeout(timer);
        return;
      }
      // A tab that is hidden between request and frame would never run.
      const frame = requestAnimationFrame(fire);
      const onHide = () => {
        cancelAnimationFrame(frame);
        fire();
      };
      document.addEventListener('visibilitychange', onHide, { once: true });
      cancel = () => {
        cancelAnimationFrame(frame);
        document.removeEventListener('visibilitychange', onHide);
      };
    },
    stop: () => {
      cancel?.();
      cancel = null;
    },
  };
}
