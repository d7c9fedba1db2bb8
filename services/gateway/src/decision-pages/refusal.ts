import { isHearthError } from '@hearth/errors';
import { sentence } from '../pages/module.ts';

const movedOn = 'It has gone on while you had it open. Below is how it stands now.';

/** The words for an act that a decision or a plan did not take; undefined for another failure. */
export function refusalOf(error: unknown): string | undefined {
  if (!isHearthError(error)) return undefined;
  const { kind, details, message } = error;
  if (kind === 'rate_limited' && details.limit === 'decision_remind_seconds')
    return 'They were reminded lately. Wait a while before you do it again.';
  if (details.field === 'confirm_refused')
    return 'Everyone says that it does not work. Tick the box below it first.';
  if (kind !== 'bad_request' && kind !== 'forbidden') return undefined;
  const gone = ['not_waiting', 'already_settled', 'ask_changed'].includes(details.code ?? '');
  return gone ? movedOn : sentence(message);
}
