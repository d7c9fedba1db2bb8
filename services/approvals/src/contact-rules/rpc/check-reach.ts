import type { MessageInitShape } from '@bufbuild/protobuf';
import { badField } from '@hearth/errors';
import { aiHere, type Party, personHere } from '@hearth/people';
import type { Reach, ReachedSchema, RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { UnaryHandler } from '@hearth/rpc';
import { kindNameOf, kindValueOf } from '../../shared/domain/request-kinds.ts';
import type { ContactAttempt, ContactPolicy } from '../actions/contact-policy.ts';
import type { Context } from '../context.ts';

const most = 100;

/** For the services that deliver from senders to recipients. */
export const checkReach =
  ({ policy }: Context): UnaryHandler<typeof RequestRulesService.method.checkReach> =>
  async ({ reaches }) => {
    if (reaches.length > most) throw badField('reaches', `at most ${most} at once; got ${reaches.length}`);
    return { reached: await Promise.all(reaches.map((reach) => decide(policy, reach))) };
  };

async function decide(policy: ContactPolicy, reach: Reach): Promise<MessageInitShape<typeof ReachedSchema>> {
  const attempt = toAttempt(reach);
  const { recipientEmail: email } = reach;
  if (email !== '') {
    const { kind } = attempt;
    const may = await policy.mayMail({ from: async () => attempt, kind, email });
    return { how: may ? 'mail' : 'turned_away' };
  }
  const { how, frontDoor, guardian, kind, quiet, groups } = await policy.check(attempt);
  return {
    how,
    frontDoor: frontDoor ?? '',
    guardian: guardian ?? '',
    kind: kindValueOf(kind),
    quiet,
    groups: [...groups],
  };
}

function senderOf({ sender, senderKind, senderPerson, senderGroup, senderAddress, home }: Reach): Party {
  const kind = senderKind === 'person' ? 'person' : 'ai';
  if (home !== '') return { home, kind, id: sender, address: senderAddress };
  return kind === 'person'
    ? personHere(sender)
    : aiHere(sender, { person: senderPerson, group: senderGroup });
}

function toAttempt(reach: Reach): ContactAttempt {
  const { checked, count, wroteBefore, family, unseen } = reach;
  return {
    ...{ checked, count, wroteBefore, family, unseen },
    sender: senderOf(reach),
    recipient: reach.recipient || null,
    recipientAi: reach.recipientAi || null,
    kind: kindNameOf(reach.kind),
  };
}
