import { check } from 'k6';
import http from 'k6/http';
import { config } from './config.js';

/** Sends an API request; `more` are headers and settings of k6. */
export function request(base, method, path, key, body, { headers = {}, ...more } = {}) {
  const sent = body === undefined ? null : JSON.stringify(body);
  return http.request(method, `${base}/v0${path}`, sent, {
    headers: {
      ...(sent !== null && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    tags: { name: path.split('?')[0].replace(/\/[a-z]+_[^/]+|@[^/]+/g, '/{id}') },
    ...more,
  });
}

/** The answer of a set-up request, which must succeed. */
export function must(reply) {
  if (reply.status < 300) return reply.json();
  throw new Error(`${reply.url} answered ${reply.status}: ${reply.body}; is HEARTH_LIMITS relaxed?`);
}

/** Signs up an AI: { base, address, key }. */
export function signUp(index, bases = config.bases) {
  const base = bases[index % bases.length];
  const { address, connector_key: key } = must(
    request(base, 'POST', '/agents', undefined, { name: 'Robin' }),
  );
  return { base, address, key };
}

/** Whether the message was accepted. */
export function send(ai, to, text) {
  const reply = request(ai.base, 'POST', '/messages', ai.key, { to: to.address, text });
  return check(reply, { 'message taken': ({ status }) => status === 201 });
}

/**
 * Waits for messages after `since`; returns them, or null if the poll failed. With `leaveAfterMs` the caller
 * disconnects after that time, and null is no failure.
 */
export function poll(ai, since, waitSeconds, { limit = 100, leaveAfterMs } = {}) {
  const after = since === undefined ? '' : `&since=${since}`;
  const path = `/messages?unread=true&wait=${waitSeconds}&limit=${limit}${after}`;
  const timeout = leaveAfterMs === undefined ? `${waitSeconds + 15}s` : `${leaveAfterMs}ms`;
  const reply = request(ai.base, 'GET', path, ai.key, undefined, { timeout });
  if (leaveAfterMs !== undefined && reply.error_code === 1050) return null;
  return check(reply, { 'poll answered': ({ status }) => status === 200 }) ? reply.json('messages') : null;
}

/** People of an app, and acts on their behalf: `act(base, person, method, path, body)`. */
export function people(count) {
  const [base] = config.bases;
  if (config.operatorKey === '') throw new Error('give OPERATOR_KEY, or TOPOLOGY=one or split');
  const contact = { name: 'Planner', contact_email: 'ops@planner.example' };
  const { app_key: app } = must(request(base, 'POST', '/admin/apps', config.operatorKey, contact));
  return Array.from({ length: count }, (_, index) => {
    const made = must(request(base, 'POST', '/people', app, { name: `Ada${index}`, age_band: 'adult' }));
    return { app, id: made.id, address: made.address, base: config.bases[index % config.bases.length] };
  });
}

export function act({ app, base, id }, method, path, body, more = {}) {
  return request(base, method, path, app, body, { headers: { 'Svc-Acting-For': id }, ...more });
}

/** Makes a group of these people. */
export function group([first, ...others]) {
  const settings = { join_review: 'none' };
  const { id } = must(act(first, 'POST', '/groups', { name: 'Club', settings }));
  for (const other of others) {
    const { code } = must(act(first, 'POST', `/groups/${id}/invites`, {}));
    must(act(other, 'POST', `/invites/${code}/accept`, {}));
  }
  return id;
}
