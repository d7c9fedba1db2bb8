import { type FieldsOfPage, type OwnRefusal, type Refusal, unlessRefused } from '../pages/module.ts';

const movedOn = 'It has gone on while you had it open. Below is how it stands now.';

/** The words of decisions, plans, meetings and agreements for a refusal. */
export const ownRefusal: OwnRefusal = ({ kind, details }) => {
  if (kind === 'rate_limited' && details.limit === 'decision_remind_seconds')
    return { refused: 'They were reminded lately. Wait a while before you do it again.' };
  if (kind !== 'bad_request' && kind !== 'forbidden') return undefined;
  if (details.field === 'confirm_refused')
    return { refused: 'Everyone says that it does not work. Tick the box below it first.' };
  // Where it has gone on meanwhile, nothing that was filled in is wrong.
  const gone = ['not_waiting', 'already_settled', 'ask_changed'].includes(details.code ?? '');
  return gone ? { refused: movedOn } : undefined;
};

/** Does what a form asks for; answers why it was refused, undefined once it is done. */
export const tryAct = (
  fieldsOfPage: FieldsOfPage,
  work: () => Promise<unknown>,
): Promise<Refusal | undefined> =>
  unlessRefused(
    fieldsOfPage,
    async () => void (await work()),
    (wrong) => wrong,
    ownRefusal,
  );
