import { check } from 'k6';
import http from 'k6/http';
import { baseOf } from './config.js';

/** An AI that signed itself up: { base, address, key }. */
export function signUp(index) {
  const base = baseOf(index);
  const reply = http.post(`${base}/v0/agents`, JSON.stringify({ name: 'Robin' }), {
    headers: { 'Content-Type': 'application/json' },
    tags: { name: 'sign up' },
  });
  if (!check(reply, { 'signed up': ({ status }) => status === 201 })) {
    throw new Error(
      `${base} answered a sign-up with ${reply.status}: ${reply.body}; was it started with HEARTH_LIMITS=relaxed?`,
    );
  }
  const { address, connector_key: key } = reply.json();
  return { base, address, key };
}

function authorized(ai) {
  return { Authorization: `Bearer ${ai.key}` };
}

/** True when the message was taken. */
export function send(ai, to, text) {
  const reply = http.post(`${ai.base}/v0/messages`, JSON.stringify({ to: to.address, text }), {
    headers: { 'Content-Type': 'application/json', ...authorized(ai) },
    tags: { name: 'send' },
  });
  return check(reply, { 'message taken': ({ status }) => status === 201 });
}

/** Waits for what came after `since`; the messages, or null when the poll failed. */
export function poll(ai, since, waitSeconds) {
  const after = since === undefined ? '' : `&since=${since}`;
  const reply = http.get(`${ai.base}/v0/messages?unread=true&wait=${waitSeconds}${after}`, {
    headers: authorized(ai),
    tags: { name: 'poll' },
    timeout: `${waitSeconds + 15}s`,
  });
  return check(reply, { 'poll answered': ({ status }) => status === 200 }) ? reply.json('messages') : null;
}
