import type { MessageInitShape } from '@bufbuild/protobuf';
import { enumNames } from '@hearth/enum-names';
import { shortenName } from '@hearth/people';
import { AiStatusSchema, type CallerSchema, Proof, Via } from '@hearth/proto/common/v1/caller';
import { CallerKind, Scope, ScopeSchema } from '@hearth/proto/options';
import type { CredentialRow } from '../db/credentials.ts';

type CallerInit = MessageInitShape<typeof CallerSchema>;

/** A person has every scope. */
const allScopes = [Scope.READ, Scope.NOTES, Scope.MESSAGE, Scope.GROUP, Scope.INVITE, Scope.APPROVE];

const proofs: Readonly<Record<CredentialRow['proof'], Proof>> = {
  passkey: Proof.PASSKEY,
  email: Proof.EMAIL,
  '': Proof.TAP,
};

/** A credential and whether its person is under 18 now. */
export type AgedCredential = CredentialRow & { minor: boolean };

/** The caller behind a valid credential. */
export function toCaller(row: AgedCredential): CallerInit {
  if (row.kind === 'session') return toSignedIn(row);
  if (row.kind !== 'app')
    return { ...toAi(row), grant: row.grant ?? '', client: row.client ?? '', via: Via.API };
  const app = { app: row.app!, via: Via.APP };
  if (row.ai !== null) return { ...toAi(row), ...app };
  if (row.person !== null) return { ...toPerson(row), ...app, proof: Proof.TAP };
  return { ...app, kind: CallerKind.APP, id: row.app!, name: row.appName! };
}

function toSignedIn(row: AgedCredential): CallerInit {
  return {
    ...toPerson(row),
    via: Via.WEB,
    session: row.session!,
    authenticatedAt: BigInt(row.authenticatedAt?.getTime() ?? 0),
    proof: proofs[row.proof],
  };
}

function toPerson({ person, handle, personName, guest, minor, language }: AgedCredential): CallerInit {
  return {
    kind: CallerKind.PERSON,
    id: person!,
    address: `@${handle}`,
    // Others see this name, so a minor's is shortened.
    name: minor ? shortenName(personName!) : personName!,
    scopes: allScopes,
    guest,
    minor,
    language: language ?? '',
  };
}

function toAi(row: AgedCredential): CallerInit {
  return {
    kind: CallerKind.AI,
    id: row.ai!,
    address: row.address!,
    name: row.aiName!,
    aiStatus: enumNames(AiStatusSchema).valueOf(row.status!),
    scopes: scopesOf(row.permissions ?? []),
    person: row.person ?? '',
    group: row.group ?? '',
    minor: row.minor,
    language: row.language ?? '',
    keyMadeBy: row.keyMadeBy ?? '',
    keyApp: row.keyApp ?? '',
  };
}

/** Grants also hold scopes that are not permissions here, such as "offline_access". */
function scopesOf(words: readonly string[]): Scope[] {
  return allScopes.filter((scope) => words.includes(enumNames(ScopeSchema).nameOf(scope)));
}
