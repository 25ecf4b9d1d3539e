/** Subscription values as they arrive: durable ones are wrapped with the cursor they carry. */

export interface Tracked<T> {
  readonly id: string;
  readonly data: T;
}

export function unwrap<T extends { readonly type: string }>(value: T | Tracked<T>): T {
  return 'type' in value ? value : value.data;
}
