import { create } from '@bufbuild/protobuf';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';

export type { Caller };
export { CallerKind as callerKinds };

/** The caller of a request that carries no credential, or of work that a service does by itself. */
export const anyone: Caller = create(CallerSchema, { kind: CallerKind.ANYONE });
