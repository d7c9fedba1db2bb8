import { badField } from '@hearth/errors';
import { OutboundError } from '@hearth/guarded-http';
import type { Context } from '../context.ts';

/**
 * Reads a webhook URL and checks that calls to it are allowed; a test event shows later whether it answers.
 */
export function readWebhookUrl(text: string, { http }: Pick<Context, 'http'>): string {
  try {
    return http.check(text).href;
  } catch (error) {
    throw error instanceof OutboundError ? badField('webhook_url', error.message) : error;
  }
}
