import { badField, forbidden, type HearthError, unavailable } from '@hearth/errors';

interface Issuer {
  service: string;
  typ: string;
  /** The values of `type` that the service may have signed under that `typ`. */
  types: readonly string[];
}

/** The records that each service may have signed. A service that is not listed gets no signature. */
const issuers: readonly Issuer[] = [
  { service: 'identity', typ: 'svc-card+jws', types: ['card'] },
  { service: 'approvals', typ: 'svc-record+jws', types: ['approval.answer'] },
  {
    service: 'decisions',
    typ: 'svc-record+jws',
    types: ['agreement', 'agreement.settled', 'decision.outcome', 'meeting', 'plan.outcome'],
  },
];

/** The types of record that this home issues, for its document. */
export const issuedTypes: readonly string[] = [...new Set(issuers.flatMap((issuer) => issuer.types))].sort();

/** How far the clock of the asking service may differ from ours: a record bears the time of its signing. */
const clockToleranceMs = 5 * 60_000;

const signatureMembers = ['signature', 'signatures', 'co_signatures'];

/** A record before it is signed. */
export interface SignDemand {
  /** The asking service. */
  service: string;
  typ: string;
  record: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970 of the record's `issued_at`, null when it is not a time. */
  issuedAt: number | null;
}

/** The home and its key at the moment of signing. */
export interface Signer {
  home: string;
  now: number;
  /** The key signs no older records. Milliseconds since 1970. */
  keyNotBefore: number;
}

/** The reason why this record gets no signature; null when it gets one. */
export function refuseToSign(demand: SignDemand, signer: Signer): HearthError | null {
  const { service, typ, record, issuedAt } = demand;
  const type = record['type'];
  const mayIssue = issuers.some(
    (issuer) => issuer.service === service && issuer.typ === typ && issuer.types.includes(type as string),
  );
  if (!mayIssue) {
    return forbidden(
      `the service ${service} has no records of type ${JSON.stringify(type)} signed as ${typ}`,
    );
  }
  if (record['v'] !== 1) return badField('v', 'must be 1, the version of records');
  if (record['home'] !== signer.home) {
    return badField('home', `this home is ${signer.home} and signs for no other`);
  }
  const present = signatureMembers.find((member) => member in record);
  if (present !== undefined)
    return badField(present, 'must be absent: a record to be signed has no signatures yet');
  if (issuedAt === null || Math.abs(issuedAt - signer.now) > clockToleranceMs) {
    return badField('issued_at', 'must be the present time: a record is signed when it is issued');
  }
  if (issuedAt < signer.keyNotBefore) {
    const from = new Date(signer.keyNotBefore).toISOString();
    return unavailable(`the home cannot sign: its clock stands before ${from}, from when its key counts`);
  }
  return null;
}
