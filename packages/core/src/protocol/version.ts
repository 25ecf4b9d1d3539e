/** Version of the bridge API; one line of history per version. A test pins the hash of all schemas to it. */
export const PROTOCOL_VERSION = 1;
// 1: first version.
export const SKEIN_VERSION = '0.1.0';
