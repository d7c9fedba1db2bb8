import { enumNames } from '@hearth/enum-names';
import { internal } from '@hearth/errors';
import { type Caller, type Proof, ProofSchema } from '@hearth/proto/common/v1/caller';
import { callerKinds } from '@hearth/rpc';

const proofs = enumNames(ProofSchema);

/**
 * The proof behind a caller's answer, as records and other homes read it. An AI proves it by its key, a person by their
 * credential. An app's call for a person it holds counts as their tap.
 */
export function proofOf({ kind, proof }: Pick<Caller, 'kind' | 'proof'>): string {
  return kind === callerKinds.AI ? 'key' : personProof(proof);
}

/** `proofOf` for a person's statement. */
export function personProof(proof: Proof): string {
  const name = proofs.nameOf(proof);
  if (name === '') throw internal('a person acts, and nothing says how they gave their word');
  return name;
}
