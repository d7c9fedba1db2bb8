import { t } from '@hearth/i18n';
import { type FieldsOfPage, type OwnRefusal, type Refusal, unlessRefused } from '../pages/module.ts';

/** The words of decisions, plans, meetings and agreements for a refusal. */
export const ownRefusal: OwnRefusal = ({ kind, details }) => {
  if (kind === 'rate_limited' && details.limit === 'decision_remind_seconds')
    return { refused: t('courses.reminded-recently') };
  if (kind !== 'bad_request' && kind !== 'forbidden') return undefined;
  if (details.field === 'confirm_refused') return { refused: t('courses.tick-to-settle') };
  // Where it has gone on meanwhile, nothing that was filled in is wrong.
  const gone = ['not_waiting', 'already_settled', 'ask_changed'].includes(details.code ?? '');
  return gone ? { refused: t('courses.changed-meanwhile') } : undefined;
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
