import { underAge } from '@hearth/people';
import type { Sealer } from '@hearth/sealing';
import { digest } from '@hearth/signing';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import type { Settlement } from '../domain/apply-change.ts';
import { askedThing } from '../domain/asked.ts';
import { isTold } from '../domain/home-ask.ts';
import { settled } from '../domain/machine.ts';
import { mailKeyHash } from './ask-link.ts';
import type { Asker } from './find-asker.ts';
import type { Placement } from './place-recipients.ts';

type Made = 'digest' | 'reminders' | 'reminded_at' | 'signed_answer' | 'disputed' | keyof Settlement;

/** The content of an ask, as stored in its row. */
export type AskContent = Omit<ApprovalRow, Made | keyof ReturnType<typeof askerColumns>>;

/** Defaults for the optional content of an ask. */
export const blankContent = {
  request_kind: 'other',
  details: null,
  choices: [] as string[],
  free_text: false,
  needs: 'any',
  about: null,
  group: null,
  group_handle: null,
  group_name: null,
  group_app: null,
  group_reference: null,
  item_ref: null,
  item_app: null,
  preview: null,
  callback: null,
  invite: null,
  joiner: null,
  request_scope: null,
  request_id: null,
  request_digest: null,
  home: null,
  reference: null,
  home_domain: null,
  rev: 1,
} as const satisfies Partial<AskContent>;

/** The rows of a new ask, already settled if rules decide it at once. */
export function askRows(
  { ids, sealer }: Pick<Context, 'ids' | 'sealer'>,
  content: AskContent,
  asker: Asker,
  placements: readonly Placement[],
): WholeApproval {
  const asked = placements.map((placement, position) => recipientRow(sealer, content, placement, position));
  const { status, why } = settled({ status: 'waiting', needs: content.needs, why: null, asked });
  const isOpen = status === 'waiting';
  const approval: ApprovalRow = {
    ...content,
    ...askerColumns(asker),
    digest: digest(thingOf(content, placements)),
    status,
    why,
    settled_at: isOpen ? null : content.asked_at,
    settled_by: null,
    record: isOpen ? null : ids.uuid(),
    reminders: 0,
    reminded_at: null,
    signed_answer: null,
    disputed: null,
  };
  return { approval, recipients: asked.map((row) => ({ ...row, status })) };
}

/**
 * The content that the digest covers. An ask that goes to other homes includes only reached recipients and no
 * app item, so that those homes compute the same digest.
 */
function thingOf(content: AskContent, placements: readonly Placement[]) {
  if (placements.every(({ recipient }) => recipient.home === null))
    return askedThing(
      content,
      placements.map(({ recipient }) => (recipient.minor ? underAge : recipient.address)),
    );
  const told = placements.filter(({ recipient, handling }) => isTold({ ...recipient, handling }));
  return askedThing(
    { ...content, item_ref: null },
    told.map(({ recipient }) => recipient.address),
  );
}

export function askerColumns(asker: Asker) {
  return {
    asker_kind: asker.party.kind === 'ai' ? ('ai' as const) : ('person' as const),
    asker: asker.party.id,
    asker_person: asker.person?.id ?? null,
    asker_app: asker.app,
    asker_programs: asker.programs,
    asker_address: asker.address,
    asker_name: asker.name,
    asker_verified: asker.verified,
    asker_minor: asker.minor,
  };
}

export function recipientRow(
  sealer: Pick<Sealer, 'derive'>,
  { id, asked_at }: AskContent,
  placement: Placement,
  position: number,
): RecipientRow {
  const { recipient, person, handling, owner, box, front_door, requestKind, guards } = placement;
  const refused = handling === 'declined' || handling === 'turned_away';
  const byMail = recipient.kind === 'email';
  return {
    approval: id,
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
    asked_at,
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
    key_hash: byMail ? mailKeyHash(sealer, id, position) : null,
    guards,
    home: recipient.home,
    act: null,
    item: null,
    no_due_at: null,
  };
}
