/** The content of a signed answer: names and addresses as they were when it happened. */
export interface RecordedApproval {
  /** Printed ids and addresses. */
  id: string;
  record: string;
  home: string;
  title: string;
  kind: string;
  request_kind: string;
  choices: readonly string[];
  free_text: boolean;
  needs: string;
  group: { id: string; name: string; address: string } | null;
  about_child: boolean;
  /** Address; `underAge` for a child. */
  requested_by: string;
  requested_name_verified: boolean;
  requested_at: Date;
  expires_at: Date;
  digest: string;
  status: string;
  settled_at: Date;
  answers: readonly RecordedAnswer[];
}

export interface RecordedAnswer {
  /** Address or e-mail address; `underAge` for a child. */
  to: string;
  name: string;
  decision: string;
  answer: string | null;
  note: string | null;
  at: Date;
  by: string;
  via: string;
  proof: string;
}

/** Stands in place of an address that would identify a child. */
export const underAge = 'under-18';

/** The record of completion, without its signature and without fields that were not given. */
export function recordBody(approval: RecordedApproval, issuedAt: Date): Record<string, unknown> {
  const { group } = approval;
  return {
    v: 1,
    type: 'approval.answer',
    id: approval.record,
    home: approval.home,
    issued_at: issuedAt.toISOString(),
    subject: { kind: 'approval', id: approval.id },
    ask: {
      id: approval.id,
      title: approval.title,
      kind: approval.kind,
      request_kind: approval.request_kind,
      choices: [...approval.choices],
      free_text: approval.free_text,
      needs: approval.needs,
      ...(group !== null && { group }),
      about_child: approval.about_child,
      requested_by: approval.requested_by,
      requested_name_verified: approval.requested_name_verified,
      requested_at: approval.requested_at.toISOString(),
      expires_at: approval.expires_at.toISOString(),
      digest: approval.digest,
    },
    answers: approval.answers.map(recordedAnswer),
    status: approval.status,
    settled_at: approval.settled_at.toISOString(),
  };
}

function recordedAnswer({ answer, note, at, ...rest }: RecordedAnswer) {
  const { to, name, decision, by, via, proof } = rest;
  return {
    to,
    name,
    decision,
    ...(answer !== null && { answer }),
    ...(note !== null && { note }),
    at: at.toISOString(),
    by,
    via,
    proof,
  };
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The first `length` characters of [0-9A-Za-z] that these bytes make; 32 bytes are enough for 22. */
export function base62Of(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text += base62[Number(rest % 62n)];
    rest /= 62n;
  }
  return text;
}
