import { badField } from '@hearth/errors';
import type { Reach as Asked } from '@hearth/proto/approvals/v1/request_rules';
import { kindNumber, kindWord } from '../../shared/domain/request-kinds.ts';
import type { Reaching } from '../actions/contact-policy.ts';
import type { RulesContext } from '../context.ts';
import type { RequestRulesHandlers } from './index.ts';

const most = 100;

/** For the services by which somebody reaches somebody. */
export const checkReach =
  ({ reach }: Pick<RulesContext, 'reach'>): RequestRulesHandlers['checkReach'] =>
  async ({ reaches }) => {
    if (reaches.length > most) throw badField('reaches', `at most ${most} at once; got ${reaches.length}`);
    const reached = await Promise.all(reaches.map((asked) => reach.check(toReaching(asked))));
    return {
      reached: reached.map(({ how, frontDoor, guardian, kind, quiet, groups }) => ({
        how,
        frontDoor: frontDoor ?? '',
        guardian: guardian ?? '',
        kind: kindNumber(kind),
        quiet,
        groups: [...groups],
      })),
    };
  };

function toReaching(asked: Asked): Reaching {
  return {
    sender: asked.sender,
    senderKind: asked.senderKind === 'person' ? 'person' : 'ai',
    senderPerson: asked.senderPerson || null,
    senderGroup: asked.senderGroup || null,
    checked: asked.checked,
    home: asked.home || null,
    senderAddress: asked.senderAddress || null,
    recipient: asked.recipient || null,
    recipientAi: asked.recipientAi || null,
    kind: kindWord(asked.kind),
    wroteBefore: asked.wroteBefore,
    family: asked.family,
    unseen: asked.unseen,
    count: asked.count,
  };
}
