import type { DescMessage } from '@bufbuild/protobuf';

export type WellKnown = 'timestamp' | 'struct' | 'value' | 'list_value' | 'unsupported';

const kinds: Record<string, WellKnown> = {
  'google.protobuf.Timestamp': 'timestamp',
  'google.protobuf.Struct': 'struct',
  'google.protobuf.Value': 'value',
  'google.protobuf.ListValue': 'list_value',
};

/** Returns which type with its own JSON form a message is; null for an ordinary message. */
export function wellKnownKind(desc: DescMessage): WellKnown | null {
  const kind = kinds[desc.typeName];
  if (kind) return kind;
  // Durations, wrappers, masks and Any are not in the public JSON; fields declare their meaning instead.
  return desc.typeName.startsWith('google.protobuf.') ? 'unsupported' : null;
}
