import { expect, test } from 'vitest';
import { clickedOn } from './clicks.ts';
import { textsIn } from './words.ts';

const click = (element: string) => clickedOn('browser_click', textsIn({ element, ref: 'e1' }));
const script = (code: string) => clickedOn('browser_evaluate', textsIn({ function: code }));

test.each([
  ['Delete project on the production console', 'destructive'],
  ['Yes, terminate (EC2 console)', 'destructive'],
  ['Delete customer, admin.shop.com', 'destructive'],
  ["'Make this repository public' in the danger zone", 'destructive'],
  ['I understand the consequences, delete it', 'destructive'],
  ['Disable two-factor login for the organization', 'access'],
  ['Send to 48,210 subscribers', 'message'],
  ['Withdraw $2,340.00', 'money'],
])('a click on "%s" is %s', (label, how) => {
  expect(click(label)).toBe(how);
});

test.each([
  'Delete item',
  'Delete project on localhost:3000',
  'Delete customer, admin.staging.shop.com',
  'Discard changes (github.com)',
  'Send to 3 people',
  'Place your order and pay $2,340.00',
  'Save',
])('a click on "%s" is ordinary', (label) => {
  expect(click(label)).toBeNull();
});

test('what is typed to confirm counts like a click', () => {
  const typed = { element: 'Type the name to confirm deletion (console.cloud.google.com)', text: 'shop' };
  expect(clickedOn('browser_type', textsIn(typed))).toBe('destructive');
  expect(clickedOn('browser_handle_dialog', textsIn({ promptText: 'DELETE shop-production' }))).toBe(
    'destructive',
  );
});

test('a form that lets every address in changes access', () => {
  const fields = [{ name: 'Source', value: '0.0.0.0/0' }];
  expect(clickedOn('browser_fill_form', textsIn({ fields }))).toBe('access');
});

test('code for a page is judged by what it clicks on and asks for', () => {
  expect(
    script("await page.goto('https://admin.shop.com'); page.getByRole('button', { name: 'Delete' }).click()"),
  ).toBe('destructive');
  expect(script("() => all('button').find((b) => b.textContent === 'Delete database').click()")).toBe(
    'destructive',
  );
  expect(script("() => fetch('https://admin.shop.com/api/orders', { method: 'DELETE' })")).toBe(
    'destructive',
  );
  expect(script("() => fetch('http://localhost:3000/api/orders', { method: 'DELETE' })")).toBeNull();
  expect(script("() => document.querySelector('#delete-note').remove()")).toBeNull();
});
