import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';

export type { Caller };
export { CallerKind as callerKinds };

/** The caller of a request without a credential, or of a service's own work. */
export const anonymous: Caller = create(CallerSchema, { kind: CallerKind.ANONYMOUS });

const encoded = new WeakMap<Caller, Buffer>();

/** The encoded caller. The gateway keeps one caller per credential, so each is encoded once. */
export function encodeCaller(caller: Caller): Buffer {
  let bytes = encoded.get(caller);
  if (bytes === undefined) {
    bytes = Buffer.from(toBinary(CallerSchema, caller));
    encoded.set(caller, bytes);
  }
  return bytes;
}

export function decodeCaller(bytes: Uint8Array | undefined): Caller {
  return bytes === undefined || bytes.length === 0 ? anonymous : fromBinary(CallerSchema, bytes);
}
