import type { DescMessage } from '@bufbuild/protobuf';

export type WellKnown = 'timestamp' | 'struct' | 'value' | 'list_value' | 'unsupported';

const kinds: Record<string, WellKnown> = {
  'google.protobuf.Timestamp': 'timestamp',
  'google.protobuf.Struct': 'struct',
  'google.protobuf.Value': 'value',
  'google.protobuf.ListValue': 'list_value',
};

/** Which of the types with a JSON form of their own a message is; null for an ordinary message. */
export function wellKnownKind(desc: DescMessage): WellKnown | null {
  const kind = kinds[desc.typeName];
  if (kind) return kind;
  // Durations, wrappers, masks and Any are no part of the public JSON: a field declares what it means instead.
  return desc.typeName.startsWith('google.protobuf.') ? 'unsupported' : null;
}
