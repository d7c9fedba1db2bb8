import type { Ids } from '@hearth/ids';
import type { Sealer } from '@hearth/sealing';
import { digest } from '@hearth/signing';
import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';
import { askedThing } from '../domain/asked.ts';
import { settled } from '../domain/machine.ts';
import { underAge } from '../domain/record.ts';
import type { Asker } from './find-asker.ts';
import type { Reached } from './reach-recipients.ts';
import { mailKeyHash } from './receipt.ts';

/** What is asked, as it is written down. */
export type AskedContent = Pick<
  ApprovalRow,
  | 'id'
  | 'kind'
  | 'request_kind'
  | 'title'
  | 'details'
  | 'choices'
  | 'free_text'
  | 'needs'
  | 'about'
  | 'group'
  | 'group_handle'
  | 'group_name'
  | 'group_app'
  | 'item_ref'
  | 'preview'
  | 'callback'
  | 'invite'
  | 'joiner'
  | 'request_scope'
  | 'request_id'
  | 'request_digest'
  | 'asked_at'
  | 'expires_at'
>;

export interface AskRows {
  approval: ApprovalRow;
  recipients: RecipientRow[];
}

/** The rows of an ask, settled already where rules alone settle it. */
export function askRows(
  { ids, sealer }: { ids: Pick<Ids, 'uuid'>; sealer: Pick<Sealer, 'derive'> },
  content: AskedContent,
  asker: Asker | null,
  reached: readonly Reached[],
): AskRows {
  const asked = reached.map((one, position) => recipientRow(sealer, content, one, position));
  const { status, why } = settled({ status: 'waiting', needs: content.needs, why: null, asked });
  const isOpen = status === 'waiting';
  const approval: ApprovalRow = {
    ...content,
    ...askerOf(asker),
    digest: digest(
      askedThing(
        content,
        reached.map(({ recipient }) => (recipient.minor ? underAge : recipient.address)),
      ),
    ),
    status,
    why,
    settled_at: isOpen ? null : content.asked_at,
    settled_by: null,
    record: isOpen ? null : ids.uuid(),
    reminders: 0,
    reminded_at: null,
    signed_answer: null,
  };
  return { approval, recipients: asked.map((row) => ({ ...row, status })) };
}

function askerOf(asker: Asker | null) {
  return {
    asker_kind: asker?.kind ?? ('home' as const),
    asker: asker?.id ?? null,
    asker_person: asker?.person?.id ?? null,
    asker_app: asker?.app ?? null,
    asker_address: asker?.address ?? '',
    asker_name: asker?.name ?? '',
    asker_verified: asker?.verified ?? true,
    asker_minor: asker?.minor ?? false,
  };
}

function recipientRow(
  sealer: Pick<Sealer, 'derive'>,
  content: AskedContent,
  { recipient, person, handling, owner, box, front_door, requestKind, guards }: Reached,
  position: number,
): RecipientRow {
  const refused = handling === 'declined' || handling === 'turned_away';
  const byMail = recipient.kind === 'email';
  return {
    approval: content.id,
    position,
    kind: recipient.kind,
    recipient: recipient.id,
    person,
    address: recipient.address,
    name: recipient.name,
    minor: recipient.minor,
    handling,
    owner,
    box,
    front_door,
    passed_at: null,
    passed_note: null,
    asked_at: content.asked_at,
    request_kind: requestKind,
    status: 'waiting',
    decision: refused ? 'declined' : 'waiting',
    answer: null,
    note: null,
    answered_at: null,
    answered_by: null,
    answered_as: null,
    via: null,
    proof: null,
    why: refused ? 'by_rule' : null,
    key_hash: byMail ? mailKeyHash(sealer, content.id, position) : null,
    mailed_at: null,
    mail_next_at: byMail ? content.asked_at : null,
    mail_attempts: 0,
    guards,
  };
}
