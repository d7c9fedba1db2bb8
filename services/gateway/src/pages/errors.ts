import { errorKinds, type HearthError, notFound } from '@hearth/errors';
import { t } from '@hearth/i18n';
import type { Host } from '@hearth/runtime';
import { type Frame, failedPage, homeLink, messagePage, notFoundPage, tooManyPage } from '@hearth/web';
import { type Exchange, secondsUntil, visitorFrame } from '../http/module.ts';
import { errorWords } from './error-words.ts';
import { send } from './send.ts';

/** The page for unknown paths; it doesn't look up the session. */
export function sendNotFoundPage(exchange: Exchange, host: Pick<Host, 'config' | 'languages'>): void {
  exchange.error = notFound();
  send(exchange, undefined, {
    html: notFoundPage(visitorFrame(host, exchange.request)),
    status: errorKinds.not_found.http,
  });
}

/** The error page, for people. */
export function errorPage(frame: Frame, error: HearthError, now: number, requestId?: string): string {
  if (error.kind === 'internal') return failedPage(frame, { requestId });
  if (error.kind === 'not_found') return notFoundPage(frame);
  if (error.kind === 'rate_limited')
    return tooManyPage(frame, { retryAfterSeconds: secondsUntil(error.details.resetsAt, now) });
  const link = homeLink(frame);
  if (error.kind === 'method_not_allowed')
    return messagePage(frame, {
      ...{ title: t('common.form-only'), tone: 'info', link },
      words: t('common.form-only-more'),
    });
  return messagePage(frame, { title: t('common.failed'), words: errorWords(error), link, tone: 'care' });
}

/** The headers of an error page. */
export function errorHeaders({ kind, details }: HearthError, now: number): string[] {
  if (kind === 'method_not_allowed') return ['Allow', (details.allow ?? []).join(', ')];
  return kind === 'rate_limited' ? ['Retry-After', String(secondsUntil(details.resetsAt, now))] : [];
}
