import { Button } from '@skein/ui/primitives/button';
import { Icon } from '@skein/ui/primitives/icon';
import { Skeleton } from '@skein/ui/primitives/skeleton';
import { FolderSearch } from 'lucide-react';
import { useState } from 'react';
import { useWorld } from '../../state/hooks.ts';
import { ScreenFrame } from '../screen-frame.tsx';
import { FirstRun } from './first-run.tsx';
import { FolderPicker } from './folder-picker.tsx';
import { NewSessionComposer } from './new-session-composer.tsx';
import { RecentFolders } from './recent-folders.tsx';
import { useNewSession } from './use-new-session.ts';

/** Where, who, and the first prompt; on a new machine also what there is to try. */
export function NewSessionScreen({ cwd }: { readonly cwd: string | null }) {
  const session = useNewSession(cwd);
  const isFirst = useWorld((world) => world.ready && world.strands.size === 0);
  const [asked, setBrowsing] = useState(false);
  const { choice, recent, home, isReady, pick } = session;
  const isBrowsing = asked || choice.cwd === null;
  return (
    <ScreenFrame
      title="New session"
      actions={
        <Button
          aria-expanded={isBrowsing}
          icon={<Icon of={FolderSearch} size={14} />}
          disabled={choice.cwd === null}
          onClick={() => setBrowsing(!isBrowsing)}
        >
          Another folder
        </Button>
      }
    >
      {!isReady && <Skeleton label="Loading" rows={4} />}
      {isReady && isFirst && <FirstRun agents={session.agents} />}
      {isReady && isBrowsing && (
        <FolderPicker
          cwd={choice.cwd}
          onPick={(next) => {
            pick({ cwd: next });
            setBrowsing(false);
          }}
        />
      )}
      {isReady && !isBrowsing && (
        <RecentFolders
          folders={recent}
          home={home}
          chosen={choice.cwd}
          onPick={(next) => pick({ cwd: next })}
        />
      )}
      {isReady && <NewSessionComposer session={session} />}
    </ScreenFrame>
  );
}
