import { Hono } from 'hono';
import * as v from 'valibot';
import { ONLY } from '../../approvals/limits.ts';
import { HooklineError } from '../../model/errors.ts';
import type { Access } from '../../model/people/access.ts';
import { type ApiEnv, guarded } from '../http/guard.ts';
import { readBody } from '../http/read-body.ts';
import type { Phone } from './phone.ts';

const wanted = v.strictObject({
  address: v.exactOptional(v.pipe(v.string(), v.ip())),
  port: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65535))),
  name: v.exactOptional(v.nullable(v.string())),
});
const limits = v.strictObject({
  only: v.exactOptional(v.picklist(ONLY)),
  projects: v.exactOptional(v.nullable(v.array(v.string()))),
});

/** The listener for devices, and the devices. Only a person may switch it, pair, limit or revoke. */
export function phoneRoutes(phone: Phone, access: Access): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  const forPerson = guarded(access, 'devices');
  api.get('/phone', (c) => c.json({ phone: phone.status() }));
  api.post('/phone/on', forPerson, async (c) => {
    const status = await phone.switchOn(await readBody(c, wanted), c.var.by);
    return c.json({ phone: status });
  });
  api.post('/phone/off', forPerson, async (c) => {
    await phone.switchOff(c.var.by);
    return c.json({ phone: phone.status() });
  });
  api.post('/phone/pair', forPerson, (c) => c.json({ ...phone.pair(c.var.by) }));
  api.get('/phone/pairing/:id', (c) => c.json(phone.pairing(c.req.param('id'))));
  api.get('/devices', (c) => c.json({ devices: phone.devices.list() }));
  api.post('/devices/:name/revoke', forPerson, (c) => {
    if (!phone.revoke(c.req.param('name'), c.var.by)) throw unknownDevice(c.req.param('name'));
    return c.json({ revoked: true });
  });
  api.post('/devices/:name/limit', forPerson, async (c) => {
    const device = phone.limit(c.req.param('name'), await readBody(c, limits), c.var.by);
    if (device === null) throw unknownDevice(c.req.param('name'));
    return c.json({ device });
  });
  return api;
}

function unknownDevice(name: string): HooklineError {
  return new HooklineError('NOT_FOUND', `Unknown device ${name}.`, {
    hint: 'Run `hookline devices` to list them.',
  });
}
