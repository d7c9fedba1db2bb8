import { copyTopic } from '@hearth/home-acts';
import type { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { UnaryHandler } from '@hearth/rpc';
import { waitOnChange } from '../../shared/actions/elsewhere.ts';
import { thingTopic } from '../../shared/domain/topics.ts';
import { findCopy, showCopy } from '../actions/copied.ts';
import { findVisible } from '../actions/find-visible.ts';
import { showAgreement } from '../actions/show-agreements.ts';
import type { Context } from '../context.ts';
import { isFinal } from '../domain/agreement.ts';

/** Long-polls until the agreement changes if the caller asks for it. */
export const getAgreement =
  (context: Context): UnaryHandler<typeof AgreementsService.method.getAgreement> =>
  async (request, call) => {
    const { id } = request;
    const copy = await findCopy(context, id, call.caller);
    if (copy !== null) {
      const { final, message } = copy;
      waitOnChange(call, request, { topic: copyTopic(copy.id), revision: message.revision, final });
      return showCopy(copy, call.caller);
    }
    const row = await findVisible(context, id, call.caller);
    const topic = thingTopic('agreement', row.id);
    waitOnChange(call, request, { topic, revision: row.revision, final: isFinal(row) });
    return showAgreement(context, row, call.caller);
  };
