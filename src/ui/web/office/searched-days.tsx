import { Text } from '@mantine/core';
import { m } from '#messages';

/** Says that a search went back so many days only, and how to search them all. */
export function SearchedDays({ days }: { days: number | null }) {
  if (days === null) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {days < 30 ? m.office_list_searched_few({ days }) : m.office_list_searched_days({ days })}
    </Text>
  );
}
