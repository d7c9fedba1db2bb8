import { badField } from '@hearth/errors';
import { appEventTypes } from '@hearth/webhooks';

const known = new Set(appEventTypes);

/** @throws bad_field unless it is an event type */
export function readType(field: string, text: string): string {
  if (known.has(text)) return text;
  throw badField(field, `must be a type of event: ${appEventTypes.join(', ')}`);
}
