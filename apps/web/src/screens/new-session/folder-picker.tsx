import { Badge } from '@skein/ui/primitives/badge';
import { Button } from '@skein/ui/primitives/button';
import { Icon } from '@skein/ui/primitives/icon';
import { Skeleton } from '@skein/ui/primitives/skeleton';
import { TextInput } from '@skein/ui/primitives/text-input';
import { useQuery } from '@tanstack/react-query';
import { ArrowUp, Folder, FolderGit2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { problemOf } from '../../bridge/problem.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { ProblemBox } from '../problem-box.tsx';

export interface FolderPickerProps {
  readonly cwd: string | null;
  readonly onPick: (cwd: string) => void;
}

/** Where the session works: a folder used before, or any other one, found step by step. */
export function FolderPicker({ cwd, onPick }: FolderPickerProps) {
  const { bridge } = useWorkbench();
  const [path, setPath] = useState<string | null>(cwd);
  const listing = useQuery(bridge.trpc.files.folders.queryOptions({ path }));
  const [typed, setTyped] = useState<string | null>(null);
  const go = (next: string) => {
    setPath(next);
    setTyped(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== null && typed.trim() !== '') go(typed.trim());
  };
  const { data } = listing;
  return (
    <div className="flex flex-col gap-2">
      <form onSubmit={submit} className="flex items-end gap-2">
        <TextInput
          label="Folder"
          labelHidden
          className="min-w-0 flex-1"
          mono
          value={typed ?? data?.path ?? path ?? ''}
          onChange={setTyped}
          spellCheck={false}
          autoComplete="off"
        />
        {typed !== null && <Button type="submit">Go</Button>}
        <Button
          variant="primary"
          disabled={data === undefined || typed !== null}
          onClick={() => data !== undefined && onPick(data.path)}
        >
          Use this folder
        </Button>
      </form>
      {listing.isError && (
        <ProblemBox
          problem={problemOf(listing.error)}
          kept="The folder chosen before stays."
          actions={
            <Button size="sm" onClick={() => setPath(null)}>
              Start from home
            </Button>
          }
        />
      )}
      {listing.isPending && <Skeleton label="Folders are loading" rows={4} />}
      {data !== undefined && (
        <ul className="max-h-64 overflow-y-auto rounded-panel border border-line bg-raised p-1">
          {data.parent !== null && (
            <FolderRow name="Parent folder" icon={ArrowUp} onOpen={() => go(data.parent ?? '/')} />
          )}
          {data.folders.map((folder) => (
            <FolderRow
              key={folder.path}
              name={folder.name}
              icon={folder.git ? FolderGit2 : Folder}
              git={folder.git}
              onOpen={() => go(folder.path)}
            />
          ))}
          {data.folders.length === 0 && <li className="px-2 py-1 text-fg-3">No folders in here.</li>}
        </ul>
      )}
    </div>
  );
}

interface FolderRowProps {
  readonly name: string;
  readonly icon: typeof Folder;
  readonly git?: boolean | undefined;
  readonly onOpen: () => void;
}

function FolderRow({ name, icon, git = false, onOpen }: FolderRowProps) {
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="flex h-7 w-full items-center gap-2 rounded-control px-2 text-left hover:bg-hover touch:h-11"
      >
        <Icon of={icon} className="text-fg-3" />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {git && <Badge>git</Badge>}
      </button>
    </li>
  );
}
