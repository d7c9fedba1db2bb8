import { shorten } from '@hearth/addresses';
import type { OutboxRow } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { RulesContext } from '../../contact-rules/context.ts';
import type { ProposalRow } from '../../contact-rules/db/rule-proposals.ts';
import { proposalNotice } from '../../contact-rules/domain/events.ts';
import { ruleWords } from '../../contact-rules/domain/rule-copy.ts';
import { someFromStored } from '../../contact-rules/domain/stored-rules.ts';
import { announceAsk } from './announce-ask.ts';
import { type AskRows, askRows } from './ask-rows.ts';
import { findAsker } from './find-asker.ts';
import type { Reached } from './reach-recipients.ts';
import { personRecipient } from './read-recipients.ts';

const titleCharacters = 140;

/** A proposal as the approval that it is, and what is announced of it: its person is told where the rules are looked after. */
export async function proposalAsk(
  context: Pick<RulesContext, 'ids' | 'outbox' | 'people' | 'sealer'>,
  proposal: ProposalRow,
  person: PersonFacts,
  caller: Caller,
): Promise<{ rows: AskRows; events: OutboxRow[] }> {
  const asker = await findAsker(context, caller);
  const reached: Reached[] = [
    {
      recipient: personRecipient(person),
      person: person.id,
      handling: 'delivered',
      owner: person.id,
      box: 'inbox',
      front_door: null,
      guards: null,
      requestKind: 'other',
      quiet: false,
    },
  ];
  const content = {
    id: proposal.id,
    kind: 'rules',
    request_kind: 'other',
    title: shorten(`${caller.name} proposes other rules for what reaches you`, titleCharacters),
    details: ruleWords(someFromStored(proposal.changes)),
    choices: [],
    free_text: false,
    needs: 'any',
    about: null,
    group: null,
    group_handle: null,
    group_name: null,
    group_app: null,
    item_ref: null,
    preview: null,
    callback: null,
    invite: null,
    joiner: null,
    request_scope: null,
    request_id: null,
    request_digest: null,
    asked_at: proposal.at,
    expires_at: proposal.expiresAt,
  } as const;
  const rows = askRows(context, { ...content, choices: [] }, asker, reached);
  const [requested] = await announceAsk(context, rows, reached, caller);
  const notice = proposalNotice(context.outbox, person, proposal, caller);
  return { rows, events: requested === undefined ? [notice] : [requested, notice] };
}
