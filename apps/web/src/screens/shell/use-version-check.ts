import { PROTOCOL_VERSION } from '@skein/core/protocol/version';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench.ts';

export type VersionCheck = { readonly kind: 'fits' } | { readonly kind: 'differs'; readonly bridge: number };

const RELOADED = 'skein.reloaded';

/**
 * A bridge of another version serves another page: reloading once gets it. When that did not help, the
 * person is told instead of looping.
 */
export function useVersionCheck(): VersionCheck {
  const { bridge } = useWorkbench();
  const connection = useStore(bridge.connection);
  const info = useQuery(bridge.trpc.system.info.queryOptions());
  const { refetch } = info;
  useEffect(() => {
    if (connection === 'open') refetch().catch(reportError);
  }, [connection, refetch]);
  const protocol = info.data?.protocol;
  const differs = protocol !== undefined && protocol !== PROTOCOL_VERSION;
  useEffect(() => {
    if (protocol === undefined) return;
    const mark = String(protocol);
    if (!differs) sessionStorage.removeItem(RELOADED);
    else if (sessionStorage.getItem(RELOADED) !== mark) {
      sessionStorage.setItem(RELOADED, mark);
      location.reload();
    }
  }, [differs, protocol]);
  return differs ? { kind: 'differs', bridge: protocol } : { kind: 'fits' };
}
