import { badField } from '@hearth/errors';
import type { Reach, RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { UnaryHandler } from '@hearth/rpc';
import { kindNameOf, kindValueOf } from '../../shared/domain/request-kinds.ts';
import type { ContactAttempt } from '../actions/contact-policy.ts';
import type { Context } from '../context.ts';

const most = 100;

/** For the services through which a sender reaches a recipient. */
export const checkReach =
  ({ policy }: Context): UnaryHandler<typeof RequestRulesService.method.checkReach> =>
  async ({ reaches }) => {
    if (reaches.length > most) throw badField('reaches', `at most ${most} at once; got ${reaches.length}`);
    const decisions = await Promise.all(reaches.map((reach) => policy.check(toAttempt(reach))));
    return {
      reached: decisions.map(({ how, frontDoor, guardian, kind, quiet, groups }) => ({
        how,
        frontDoor: frontDoor ?? '',
        guardian: guardian ?? '',
        kind: kindValueOf(kind),
        quiet,
        groups: [...groups],
      })),
    };
  };

function toAttempt({ $typeName: _, ...reach }: Reach): ContactAttempt {
  return {
    ...reach,
    senderKind: reach.senderKind === 'person' ? 'person' : 'ai',
    senderPerson: reach.senderPerson || null,
    senderGroup: reach.senderGroup || null,
    home: reach.home || null,
    senderAddress: reach.senderAddress || null,
    recipient: reach.recipient || null,
    recipientAi: reach.recipientAi || null,
    kind: kindNameOf(reach.kind),
  };
}
