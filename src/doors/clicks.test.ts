import { expect, test } from 'vitest';
import { clickedOn } from './clicks.ts';
import { textsIn } from './text-words.ts';

const click = (element: string) => clickedOn('browser_click', textsIn({ element, ref: 'e1' }));
const script = (code: string) => clickedOn('browser_evaluate', textsIn({ function: code }));

test.each([
  ['Delete project on the production console', 'destructive'],
  ['Yes, terminate (EC2 console)', 'destructive'],
  ['Delete customer, admin.shop.com', 'destructive'],
  ["'Make this repository public' in the danger zone", 'access'],
  ['I understand the consequences, delete it', 'destructive'],
  ['Disable two-factor login for the organization', 'access'],
  ['Send to 48,210 subscribers', 'message'],
  ['Withdraw $2,340.00', 'money'],
  ['Delete this repository', 'destructive'],
  ["Permanently delete database 'shop-production' button", 'destructive'],
  ['Remove user Anna Weber from workspace (deletes her data)', 'destructive'],
  ['Confirm and destroy Droplet', 'destructive'],
  ['Empty bucket', 'destructive'],
  ['Yes, terminate instance i-0abc', 'destructive'],
  ['Pause project (all connections will be dropped)', 'destructive'],
  ['Delete 1,204 records', 'destructive'],
  ['Close my account', 'destructive'],
  ['Uninstall app from workspace', 'destructive'],
  ['button.delete-org-btn', 'destructive'],
  ['#btnDeleteAccount', 'destructive'],
  ['[data-testid=terminate-instance-confirm]', 'destructive'],
  ['button#confirm-wire-transfer', 'money'],
  ['Place your order and pay $2,340.00', 'money'],
  ['Place order', 'money'],
  ['Issue full refund', 'money'],
  ['Run payroll', 'money'],
  ['Sign transaction', 'money'],
  ['Turn off two-factor authentication for organization', 'access'],
  ["Uncheck 'Require status checks to pass'", 'access'],
  ['Disable branch protection rule', 'access'],
  ['Roll live secret key', 'access'],
  ['Regenerate client secret', 'access'],
  ['I have read and understand these effects: make this repository public', 'access'],
  ['Anyone with the link can edit', 'access'],
  ['Make admin', 'access'],
  ['Transfer ownership', 'access'],
  ['Authorize third-party application', 'access'],
  ['Merge pull request', 'release'],
  ['Deploy to production', 'release'],
  ['Submit app for review', 'release'],
  ['Send campaign', 'message'],
  ['Email all customers', 'message'],
])('a click on "%s" counts as %s', (label, how) => {
  expect(click(label)).toBe(how);
});

test.each([
  'Delete item',
  'Delete project on localhost:3000',
  'Delete customer, admin.staging.shop.com',
  'Discard changes (github.com)',
  'Send to 3 people',
  'Place your order on localhost and pay $2,340.00',
  'Pay 19.00 EUR',
  'Save',
  'Delete row',
  'Delete',
  'Remove item from cart',
  'Clear all filters',
  'Clear history',
  'Delete user filter',
  'Delete all completed todos',
  'Delete draft button',
  "Cancel button in 'Delete this repository' dialog",
  'Cancel',
  'Close dialog',
  'No, keep the account',
  'Next page button',
  'View deleted projects',
  "Open 'Delete a project' documentation",
  'Add to cart',
  'Send message button',
  'Reset form',
  'Reset password link',
  'Log in button',
  'Disable notifications toggle',
  'Turn off dark mode',
  'Stop recording',
  'Archive conversation',
  'Share button',
  'Delete test user',
  'input[name=email]',
  'Transfer tab',
  'Publish date column header',
  'Order by price',
  'Upload file',
  'Invite friends',
  'Add member field',
  'Sort by date',
  'Role filter',
])('a click on "%s" is ordinary', (label) => {
  expect(click(label)).toBeNull();
});

test('typed confirmations count like clicks', () => {
  const typed = { element: 'Type the name to confirm deletion (console.cloud.google.com)', text: 'shop' };
  expect(clickedOn('browser_type', textsIn(typed))).toBe('destructive');
  expect(clickedOn('browser_handle_dialog', textsIn({ promptText: 'DELETE shop-production' }))).toBe(
    'destructive',
  );
});

test('typing a name into the last question counts, typing into a search does not', () => {
  const types = (element: string, text: string) => clickedOn('browser_type', textsIn({ element, text }));
  expect(types('Confirm repository name', 'acme/shop')).toBe('destructive');
  expect(types('Text box', 'delete my account')).toBe('destructive');
  expect(types('Text box', 'purge all records')).toBe('destructive');
  expect(types('Confirm destruction of the stack', 'shop')).toBe('destructive');
  expect(types('Removal has to be confirmed', 'shop')).toBe('destructive');
  expect(types('Type "shop" to confirm', 'shop')).toBe('destructive');
  expect(types('Search box', 'delete my account')).toBeNull();
  expect(types('Email', 'anna@example.com')).toBeNull();
  expect(types('Confirm password', 'x')).toBeNull();
  expect(types('Confirm dropdown', 'x')).toBeNull();
});

test('choosing from a list may grant full access', () => {
  const selects = (element: string, ...values: string[]) =>
    clickedOn('browser_select_option', textsIn({ element, values }));
  expect(selects('Role of eve@example.com', 'Owner')).toBe('access');
  expect(selects('Visibility', 'Public')).toBe('access');
  expect(selects('Role', 'Viewer')).toBeNull();
  expect(selects('Country', 'Germany')).toBeNull();
});

test('nothing counts on a test page, unless the label says where it acts', () => {
  const on = (element: string) => clickedOn('browser_click', textsIn({ element }), 'trial');
  expect(on('Delete this repository')).toBeNull();
  expect(on('Delete project on the production console')).toBe('destructive');
});

test('a form that admits every address changes access', () => {
  const fields = [{ name: 'Source', value: '0.0.0.0/0' }];
  expect(clickedOn('browser_fill_form', textsIn({ fields }))).toBe('access');
});

test('page code is judged by what it clicks and requests', () => {
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
