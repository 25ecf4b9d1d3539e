import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';

export interface CopyButtonProps {
  /** Called on click, so that long texts are made only when they are wanted. */
  readonly text: () => string;
  readonly label: string;
  /** With the label as text instead of an icon alone. */
  readonly wide?: boolean | undefined;
  readonly className?: string | undefined;
}

export function CopyButton({ text, label, wide = false, className }: CopyButtonProps) {
  const [done, setDone] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (done === null) return undefined;
    const timer = setTimeout(() => setDone(null), 1600);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => setDone('copied'),
      () => setDone('failed'),
    );
  };
  const words = { copied: 'Copied', failed: 'The browser did not allow copying' };
  const shown = done === null ? label : words[done];
  const icon = <Icon of={done === 'copied' ? Check : Copy} size={14} />;
  if (wide) {
    return (
      <Button size="sm" variant="ghost" icon={icon} onClick={copy} className={className}>
        <span aria-live="polite">{shown}</span>
      </Button>
    );
  }
  return <IconButton size="sm" label={shown} icon={icon} onClick={copy} className={className} />;
}
