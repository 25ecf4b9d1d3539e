/**
 * Where the reader is: at the end (then the view follows) or somewhere above (then it stays). Loads older
 * turns near the top and remembers the place.
 */
import type { TranscriptBlock } from '@skein/core/document/blocks';
import type { TurnId } from '@skein/core/record/ids';
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type End, endOf, stepsSince } from './steps-since.ts';

/** `offset` is the distance in pixels between the top of the row and the top of the view. */
export type TranscriptPlace = 'end' | { readonly id: string; readonly offset: number };

export interface ReadingOptions {
  readonly blocks: readonly TranscriptBlock[];
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  readonly hasOlder: boolean;
  readonly loadingOlder: boolean;
  readonly onReachTop: () => void;
  readonly initialPlace?: TranscriptPlace | undefined;
  readonly onPlace?: ((place: TranscriptPlace) => void) | undefined;
}

export interface Reading {
  readonly following: boolean;
  /** Steps since the reader left the end. */
  readonly newCount: number;
  readonly first: number;
  readonly last: number;
  readonly flash: string | null;
  readonly onScroll: () => void;
  readonly showIndex: (index: number) => void;
  readonly jumpTo: (turn: TurnId) => boolean;
  readonly toEnd: () => void;
}

const END_PX = 40;
const TOP_PX = 600;
const REST_MS = 250;
const FLASH_MS = 1600;

export const useReading = (options: ReadingOptions): Reading => {
  const { blocks, scroller, virtualizer } = options;
  const [following, setFollowing] = useState(true);
  const [left, setLeft] = useState<End | null>(null);
  const [flash, setFlash] = useState<string | null>(null);
  const range = virtualizer.range;
  const reportPlace = useRest(options);
  const startAt = useFirstPlace(options);
  useOlder(options, startAt);
  useEndOnResize(scroller, virtualizer, following);
  useEffect(() => {
    if (flash === null) return undefined;
    const timer = setTimeout(() => setFlash(null), FLASH_MS);
    return () => clearTimeout(timer);
  }, [flash]);
  const onScroll = (): void => {
    const box = scroller.current;
    if (box === null || !startAt.current) return;
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight <= END_PX;
    if (isAtEnd !== following) {
      setFollowing(isAtEnd);
      setLeft(endOf(blocks));
    }
    reportPlace(isAtEnd);
  };
  const showIndex = (index: number): void => {
    virtualizer.scrollToIndex(index, { align: 'start' });
    setFlash(blocks[index]?.id ?? null);
  };
  return {
    following,
    newCount: left === null ? 0 : stepsSince(blocks, left),
    first: range?.startIndex ?? 0,
    last: range?.endIndex ?? 0,
    flash,
    onScroll,
    showIndex,
    jumpTo: (turn) => {
      const index = blocks.findIndex((block) => block.id === turn);
      if (index !== -1) showIndex(index);
      return index !== -1;
    },
    toEnd: () => {
      setFollowing(true);
      virtualizer.scrollToEnd();
    },
  };
};

/** Goes to the place of last time once, before the first paint. True from then on. */
function useFirstPlace({ blocks, virtualizer, initialPlace = 'end' }: ReadingOptions): RefObject<boolean> {
  const done = useRef(false);
  const isEmpty = blocks.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first rows matter
  useLayoutEffect(() => {
    if (isEmpty || done.current) return;
    done.current = true;
    const index = initialPlace === 'end' ? -1 : blocks.findIndex((block) => block.id === initialPlace.id);
    if (initialPlace === 'end' || index === -1) {
      virtualizer.scrollToEnd();
      return;
    }
    virtualizer.scrollToIndex(index, { align: 'start' });
    requestAnimationFrame(() => virtualizer.scrollBy(initialPlace.offset));
  }, [isEmpty]);
  return done;
}

/** Asks for older turns when the first loaded row is near, once the reader stands where they were. */
function useOlder(options: ReadingOptions, isPlaced: RefObject<boolean>): void {
  const { virtualizer, hasOlder, loadingOlder, onReachTop, blocks } = options;
  const offset = virtualizer.scrollOffset ?? Number.POSITIVE_INFINITY;
  const isNear = isPlaced.current && offset < TOP_PX;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback may be a new one on each render
  useEffect(() => {
    if (isNear && hasOlder && !loadingOlder) onReachTop();
  }, [isNear, hasOlder, loadingOlder, blocks.length]);
}

/** A bar that appears or a composer that grows takes its height from the view, not from the end of the text. */
function useEndOnResize(
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  following: boolean,
): void {
  useEffect(() => {
    const box = scroller.current;
    if (box === null || !following) return undefined;
    const observer = new ResizeObserver(() => virtualizer.scrollToEnd());
    observer.observe(box);
    return () => observer.disconnect();
  }, [scroller, virtualizer, following]);
}

/** Tells the place once the reader rests. */
function useRest({ blocks, virtualizer, onPlace }: ReadingOptions): (isAtEnd: boolean) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef({ blocks, onPlace });
  useEffect(() => {
    latest.current = { blocks, onPlace };
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return (isAtEnd) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const { blocks: now, onPlace: tell } = latest.current;
      const offset = virtualizer.scrollOffset ?? 0;
      const row = virtualizer.getVirtualItemForOffset(offset);
      const id = row === undefined ? undefined : now[row.index]?.id;
      tell?.(isAtEnd || row === undefined || id === undefined ? 'end' : { id, offset: offset - row.start });
    }, REST_MS);
  };
}
