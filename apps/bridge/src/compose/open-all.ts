/** Opening in steps, of which any may fail. */

/**
 * When a step fails, what is open by then is closed in reverse, and the step's fault is the one that is told: what
 * goes wrong while closing goes to `onFault`. On success the stack is the caller's to dispose.
 */
export const openAll = async <T>(
  open: (stack: AsyncDisposableStack) => Promise<T>,
  onFault: (error: unknown) => void,
): Promise<T> => {
  const stack = new AsyncDisposableStack();
  try {
    return await open(stack);
  } catch (error) {
    await stack.disposeAsync().catch(onFault);
    throw error;
  }
};
