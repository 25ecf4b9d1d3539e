/** Which bytes of which file the agent has seen in this session (requirements 65). Lives as long as its session. */
export interface ReadTracker {
  /** sha256 of what the agent last read or wrote there. */
  get(path: string): string | undefined;
  note(path: string, sha256: string): void;
  /** The file is gone, or changed in a way that the agent has not seen. */
  forget(path: string): void;
}

export const createReadTracker = (): ReadTracker => {
  const seen = new Map<string, string>();
  return {
    get: (path) => seen.get(path),
    note: (path, sha256) => {
      seen.set(path, sha256);
    },
    forget: (path) => {
      seen.delete(path);
    },
  };
};
