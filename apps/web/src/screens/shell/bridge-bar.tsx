import { ConnectionBar } from '@skein/ui/primitives/connection-bar';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench.ts';

/** Shown only while the bridge cannot be heard. */
export function BridgeBar() {
  const status = useStore(useWorkbench().bridge.connection);
  return <ConnectionBar state={status === 'connecting' ? 'open' : status} />;
}
