import { internal } from '@hearth/errors';

/** One part of a path between slashes: fixed text, or the parameter that it fills. */
export interface Segment {
  text?: string;
  parameter?: string;
}

const fixed = /^[A-Za-z0-9._~-]+$/;
const parameter = /^\{([a-z][a-z0-9_]*)\}$/;

/** The segments of a path template of google.api.http, of which whole-segment parameters are taken and no more. */
export function parseTemplate(template: string): Segment[] {
  const [before, ...parts] = template.split('/');
  if (before !== '' || parts.length === 0) throw internal(`the path ${template} must start with a slash`);
  return parts.map((part) => {
    const name = parameter.exec(part)?.[1];
    if (name !== undefined) return { parameter: name };
    if (!fixed.test(part)) throw internal(`the path ${template} holds "${part}", which no route is made of`);
    return { text: part };
  });
}
