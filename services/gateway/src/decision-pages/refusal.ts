import { t } from '@hearth/i18n';
import { type FieldsOfPage, type OwnRefusal, type Refusal, unlessRefused } from '../pages/module.ts';

/** The pages' wording of refusals about decisions, plans, meetings and agreements. */
export const ownRefusal: OwnRefusal = ({ kind, details }) => {
  if (kind === 'rate_limited' && details.limit === 'decision_remind_seconds')
    return { refused: t('courses.reminded-recently') };
  if (kind !== 'bad_request' && kind !== 'forbidden') return undefined;
  if (details.field === 'confirm_refused') return { refused: t('courses.tick-to-settle') };
  // If it changed in the meantime, the form itself is not at fault.
  const gone = ['not_waiting', 'already_settled', 'ask_changed'].includes(details.code ?? '');
  return gone ? { refused: t('courses.changed-meanwhile') } : undefined;
};

/** Does what a form asks for; returns the refusal, or undefined once it is done. */
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
