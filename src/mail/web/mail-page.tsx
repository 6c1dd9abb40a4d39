import { SegmentedControl } from '@mantine/core';
import { m } from '#messages';
import { MailList } from '#mail/web/mail-list.tsx';
import { MailPreviews } from '#mail/web/mail-previews.tsx';
import classes from '#mail/web/mail.module.css';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { useListView } from '#ui/web/office/use-paged-list.ts';

/** Every mail with its state, and the look of each kind. */
export function MailPage({ store }: { store: { timezone: string } }) {
  const { view, change } = useListView();
  const isPreview = view.filters['show'] === 'previews';
  return (
    <OfficePage title={m.office_page_mail()} hint={isPreview ? m.mail_example_hint() : m.mail_hint()} isWide>
      <SegmentedControl
        className={classes.tabs ?? ''}
        withItemsBorders={false}
        aria-label={m.mail_show()}
        value={isPreview ? 'previews' : 'list'}
        onChange={(name) => change({ search: '', filters: name === 'previews' ? { show: name } : {} })}
        data={[
          { value: 'list', label: m.mail_list() },
          { value: 'previews', label: m.mail_previews() },
        ]}
      />
      {isPreview ? (
        <MailPreviews view={view} onView={change} />
      ) : (
        <MailList store={store} view={view} onView={change} />
      )}
    </OfficePage>
  );
}
