import type { FormRequest } from './page.ts';

/** Lets a form that is sent twice, by a second press or by loading its answer anew, have its effect once. */
export function attemptOf({ field }: Pick<FormRequest, 'field'>): { request_id?: string } {
  const attempt = field('attempt');
  return attempt === '' ? {} : { request_id: attempt };
}
