import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';

export type { Caller };
export { CallerKind as callerKinds };

/** The caller of a request that carries no credential, or of work that a service does by itself. */
export const anonymous: Caller = create(CallerSchema, { kind: CallerKind.ANONYMOUS });

const encoded = new WeakMap<Caller, Buffer>();

/** As it travels; a caller that comes again (the gateway keeps one for each credential) is encoded once. */
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
