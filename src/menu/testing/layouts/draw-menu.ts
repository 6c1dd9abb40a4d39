import { randomFrom } from '#testing/hostile-values.ts';

/** A dish as a person reads it off the menu. Its price is null if it has sizes, and where nobody can be sure of it. */
export interface ExpectedDish {
  name: string;
  /** Such as `23`, or `23a`, if the dish has one, which may be printed before its name. */
  number?: string;
  category: string;
  price: number | null;
  sizes: { name: string; price: number }[];
  isDoubtful: boolean;
}

export interface DrawnDish extends ExpectedDish {
  number: string;
  chinese: string;
  description: string;
  mark: '' | '(v)' | '(vg)';
  /** The price in words where `isDoubtful`, such as `POA`; it may be empty. */
  words: string;
}

export interface DrawnSection {
  name: string;
  chinese: string;
  note: string;
  /** Lines about extras, which are no dishes. */
  extras: { name: string; price: number }[];
  dishes: DrawnDish[];
}

export interface DrawnMenu {
  shop: { name: string; phone: string; address: string; hours: string[]; delivery: string };
  sections: DrawnSection[];
  /** Such as `Any 2 wraps for £11.00`: a reader may take it for a dish or leave it out. */
  deals: string[];
}

/** A price that no reader can be sure of. */
export type Doubt = 'poa' | 'from' | 'market' | 'range' | 'missing' | 'odd';

/** A fixed form, in which a seed's dishes are written down. */
export interface LayoutForm {
  name: string;
  kind: 'spreadsheet' | 'page' | 'pdf';
  fileName: string;
  menu: Wish;
  write(menu: DrawnMenu): Uint8Array | Promise<Uint8Array>;
}

interface Wish {
  kind: keyof typeof kinds;
  /** The fewest and the most dishes. */
  count: readonly [number, number];
  /** One dish for each has such a price. */
  doubts?: readonly Doubt[];
  hasSizes?: boolean;
  /** Whether some dishes lack the first of three sizes. */
  lacksSizes?: boolean;
  hasDeals?: boolean;
}

/** `name: lowest-highest pence [sizes]: dish|dish`, and for one dish `name>Chinese name`. */
const kinds = {
  fish: `Fish and Chips>炸魚: 550-1250: Cod|Haddock|Plaice|Skate|Rock Salmon|Scampi|Fishcake|Battered Calamari|Cod Roe|Breaded Haddock
Sausages and Pies: 150-480: Jumbo Sausage|Battered Sausage|Saveloy|Steak and Kidney Pie|Chicken and Mushroom Pie|Cheese and Onion Pasty (v)|Spam Fritter|Minced Beef Pie|Cornish Pasty
Chips and Sides: 60-450 [Small/Large]: Chips (vg)|Cheesy Chips (v)|Mushy Peas (vg)|Curry Sauce (v)|Gravy|Baked Beans (vg)|Chip Butty (v)|Onion Rings (v)|Pickled Egg|Gherkin (vg)|Pickled Onion (vg)|Coleslaw (v)|Bread Roll (v)
Burgers: 380-790: Quarter Pounder|Half Pounder|Cheeseburger|Chicken Fillet Burger|Veggie Burger (v)|Fish Burger|Hawaiian Burger|Chilli Burger
Kids Meals: 420-590: Mini Fish and Chips|Chicken Nuggets and Chips|Kids Sausage and Chips|Fish Bites and Chips
Drinks: 90-290: Coke|Diet Coke|Fanta Orange|Dandelion and Burdock|Bottled Water|Vimto|Ribena|Irn Bru`,
  pizza: `Pizzas: 600-1600 [7"/10"/12"]: Margherita (v)|Pepperoni|Hawaiian|Vegetarian Supreme (v)|Meat Feast|BBQ Chicken|Hot and Spicy|Quattro Formaggi (v)|Capricciosa|Fiorentina (v)|Napoletana|American Hot|Tandoori Chicken Pizza|Seafood Special|Farmhouse|Mexicana|Garden Party (vg)|Diavola
Calzone: 850-1290: Calzone Classico|Calzone Kiev|Calzone Bolognese|Calzone Verdura (v)
Pasta: 750-1150: Spaghetti Bolognese|Lasagne al Forno|Penne Arrabbiata (v)|Tagliatelle Carbonara|Mac & Cheese (v)|Cannelloni Ricotta (v)|Penne Amatriciana
Garlic Bread: 300-650 [Regular/Large]: Garlic Bread (v)|Garlic Bread with Cheese (v)|Garlic Bread with Tomato (vg)|Garlic Bread with Mushrooms (v)
Sides: 250-620: Potato Wedges (vg)|Mozzarella Sticks (v)|Chicken Strips|Jalapeño Poppers (v)|Buffalo Wings|Coleslaw (v)|French Fries (vg)|Dough Balls (v)
Desserts: 300-550: Tiramisu (v)|Chocolate Fudge Cake (v)|Cheesecake (v)|Cookie Dough (v)|Ice Cream Tub (v)
Drinks: 120-350: Coca-Cola 330ml|Pepsi Max 1.5L|7UP 330ml|San Pellegrino|Tango Orange|Still Water 500ml`,
  curry: `Starters: 320-650: Onion Bhaji (vg)|Vegetable Samosa (vg)|Meat Samosa|Chicken Tikka Starter|Seekh Kebab|Prawn Puri|Aloo Chaat (vg)|Paneer Tikka (v)|Tandoori Wings|Mixed Starter|King Prawn Butterfly
Tandoori Dishes: 820-1490: Tandoori Chicken|Chicken Shashlik|Lamb Tikka Main|Tandoori Mixed Grill|Paneer Shashlik (v)|Tandoori King Prawn
House Favourites: 850-1390: Chicken Tikka Masala|Butter Chicken|Lamb Rogan Josh|Chicken Jalfrezi|Lamb Pasanda|King Prawn Karahi|Garlic Chilli Chicken|Nawabi Khana|Chicken Chilli Masala|Staff Curry
Classic Curries: 690-1190: Chicken Korma|Chicken Madras|Lamb Vindaloo|Prawn Bhuna|Lamb Dopiaza|Vegetable Dhansak (v)|Chicken Pathia|Chicken Ceylon|Lamb Balti|Mushroom Bhuna (vg)
Biryani: 890-1350: Chicken Biryani|Lamb Biryani|Vegetable Biryani (v)|Prawn Biryani|Mixed Biryani
Vegetable Sides: 350-590: Bombay Aloo (vg)|Saag Aloo (vg)|Tarka Dal (vg)|Chana Masala (vg)|Saag Paneer (v)|Bhindi Bhaji (vg)|Aloo Gobi (vg)|Brinjal Bhaji (vg)
Rice: 240-420: Plain Rice (vg)|Pilau Rice (v)|Mushroom Rice (v)|Egg Fried Rice|Keema Rice|Coconut Rice (v)
Breads: 90-420: Plain Naan (v)|Garlic Naan (v)|Peshwari Naan (v)|Keema Naan|Chapati (vg)|Tandoori Roti (v)|Paratha (v)|Papadom (vg)|Chutney Tray (v)`,
  kebab: `Kebabs: 590-1290 [Regular/Large]: Doner Kebab|Chicken Doner|Lamb Shish|Chicken Shish|Kofte Kebab|Mixed Doner|Special Kebab|Adana Kebab|Chicken Tikka Kebab|Halloumi Kebab (v)
Wraps: 650-990: Doner Wrap|Chicken Shish Wrap|Lamb Shish Wrap|Falafel Wrap (vg)|Halloumi Wrap (v)|Kofte Wrap
Burgers: 350-820: Beef Burger|Cheese Burger|Chicken Burger|Doner Burger|Fish Burger|Mega Burger|Veggie Burger (v)
Fried Chicken: 290-1590: 2 Pieces Chicken|3 Pieces Chicken|6 Hot Wings|10 Chicken Nuggets|Popcorn Chicken|Family Bucket
Sides: 150-590: Chips (vg)|Cheesy Chips (v)|Doner Meat and Chips|Hummus (vg)|Cacik (v)|Onion Rings (v)|Mozzarella Sticks (v)|Garlic Mushrooms (v)|Pitta Bread (vg)
Drinks: 100-320: Can of Coke|Can of Fanta|Ayran|Uludag Gazoz|Bottle of Water|Bottle of Pepsi 1.5L`,
  chinese: `Appetisers>頭盤: 280-1150: Crispy Duck Pancakes>香酥鴨|Spare Ribs in BBQ Sauce>燒排骨|Prawn Crackers>蝦片|Vegetable Spring Rolls (v)>素春卷|Sesame Prawn Toast>芝麻蝦多士|Chicken Satay Skewers>沙爹雞串|Crispy Seaweed (v)>海草|Salt & Pepper Wings>椒鹽雞翼
Soups>湯類: 250-450: Chicken and Sweetcorn Soup>雞茸粟米湯|Hot and Sour Soup>酸辣湯|Wonton Soup>雲吞湯|Crab Meat Soup>蟹肉湯|Mushroom Soup (v)>蘑菇湯
Chicken Dishes>雞類: 580-790: Chicken in Black Bean Sauce>豉汁雞|Kung Po Chicken>宮保雞|Lemon Chicken>檸檬雞|Chicken with Cashew Nuts>腰果雞|Sweet and Sour Chicken Hong Kong Style>咕嚕雞|Chicken Curry>咖喱雞|Shredded Chilli Chicken>乾燒雞
Beef Dishes>牛類: 600-850: Beef in Oyster Sauce>蠔油牛|Beef with Ginger and Spring Onion>薑蔥牛|Crispy Chilli Beef>香脆牛|Beef with Green Pepper>青椒牛|Beef Curry>咖喱牛
Seafood>海鮮: 680-1250: King Prawns with Mushrooms>蘑菇大蝦|Szechuan King Prawn>四川大蝦|Squid in Black Bean Sauce>豉汁鮮魷|King Prawn Curry>咖喱大蝦|Salt & Pepper Squid>椒鹽鮮魷
Chow Mein>炒麵: 550-790: Special Chow Mein>招牌炒麵|Chicken Chow Mein>雞炒麵|Beef Chow Mein>牛炒麵|King Prawn Chow Mein>大蝦炒麵|Plain Chow Mein (v)>淨炒麵|Singapore Vermicelli>星洲炒米|Ho Fun with Beef>乾炒牛河
Fried Rice>炒飯: 300-780: Egg Fried Rice>蛋炒飯|Boiled Rice (vg)>白飯|Special Fried Rice>招牌炒飯|Yung Chow Fried Rice>揚州炒飯|Chicken Fried Rice>雞炒飯|Mushroom Fried Rice (v)>蘑菇炒飯
Sundries>小食: 120-380: Chips (vg)>薯條|Salt & Pepper Chips>椒鹽薯條|Curry Sauce (v)>咖喱汁|Gravy>肉汁|Fried Onions (vg)>炒洋蔥|Bean Sprouts (vg)>芽菜|Pineapple Fritter (v)>炸菠蘿|Banana Fritter (v)>炸香蕉`,
  chicken: `Chicken Meals: 399-999: 2 Pcs Chicken Meal|3 Pcs Chicken Meal|6 Spicy Wings Meal|Strips Meal|Popcorn Chicken Meal|Mixed Box|Half Chicken Meal|Boneless Banquet
Burgers: 249-699: Chicken Fillet Burger|Zinger Burger|Double Decker Burger|Tower Burger|Mini Fillet Burger|Veggie Burger (v)|Fish Fillet Burger
Wraps: 299-649: Peri Peri Wrap|Chicken Strip Wrap|Veggie Wrap (v)|Hash Brown Wrap (v)|BBQ Chicken Wrap
Grilled Peri Peri: 449-1399: Quarter Chicken|Half Chicken|Whole Chicken|5 Peri Wings|10 Peri Wings|Peri Chicken Platter
Buckets: 999-2499: Bargain Bucket|Family Feast|Wing Bucket|Party Bucket|Strips Bucket
Sides: 99-449: Regular Fries (vg)|Large Fries (vg)|Corn on the Cob (v)|Coleslaw Tub (v)|Spicy Rice (vg)|Onion Rings (v)|Chicken Nuggets|Gravy Pot
Milkshakes: 299-499: Oreo Milkshake (v)|Strawberry Milkshake (v)|Kinder Bueno Milkshake (v)|Vanilla Milkshake (v)|Lotus Biscoff Milkshake (v)`,
  cafe: `Breakfast: 320-950: Full English Breakfast|Veggie Breakfast (v)|Eggs Benedict|Eggs on Toast (v)|Bacon Bap|Sausage Sandwich|Avocado Toast (vg)|Beans on Toast (vg)|Porridge with Honey (v)|Omelette and Salad
Jacket Potatoes: 520-790: Jacket with Cheese (v)|Jacket with Beans (vg)|Jacket with Tuna Mayo|Jacket with Chilli|Jacket with Coronation Chicken
Toasties and Paninis: 450-720: Cheese and Ham Toastie|Tuna Melt|Brie and Cranberry Panini (v)|Chicken Pesto Panini|BLT|Mozzarella and Tomato Panini (v)
Hot Drinks: 160-395 [Regular/Large]: Americano|Flat White|Cappuccino|Latte|Mocha|Hot Chocolate|Chai Latte|Espresso Macchiato|Pot of Tea|Café au Lait
Cakes: 210-450: Victoria Sponge (v)|Carrot Cake (v)|Lemon Drizzle (v)|Fruit Scone (v)|Chocolate Brownie (v)|Flapjack (v)|Crème Brûlée Tart (v)|Teacake (v)
Cold Drinks: 140-420: Fresh Orange Juice|Elderflower Pressé|Sparkling Water|Banana Smoothie|Iced Latte|Ginger Beer`,
} as const;

const streets = ['High Street', 'Station Road', 'Church Lane', 'Harbour Parade', 'Mill Lane'];
const towns = ['Grimsby DN31 1AB', 'Leeds LS6 2QT', 'Cardiff CF24 3DL', 'Hull HU5 3RP', 'Luton LU1 2SE'];
const shopNames = {
  fish: ["Oakley's Fish Bar", 'The Codfather', 'Harbour Lights'],
  pizza: ['Bella Napoli', 'Pizza Roma', "Gino's Pizzeria"],
  curry: ['Royal Bengal', 'Spice Lounge', 'The Raj'],
  kebab: ['Istanbul Grill', 'Best Kebab House', 'Anatolia'],
  chinese: ['Golden Dragon', 'Lucky House', 'Jade Garden'],
  chicken: ["Dixy's Fried Chicken", 'Peri Palace', 'Chicken Hut'],
  cafe: ['The Copper Kettle', 'Corner Café', 'Bean & Gone'],
};
const descriptions = [
  'Cooked fresh to order with our own blend of herbs',
  'Served with salad and a choice of sauce',
  'A mild creamy sauce, slowly cooked, with almonds',
  'Medium hot; cooked with onions, tomatoes & peppers',
  'Contains nuts, 6 pieces per portion',
  'Tomato, mozzarella, mushrooms and sweetcorn',
  'Marinated for 24 hours and grilled over charcoal',
  'A house favourite since 1987',
];
const notes = [
  'All served with rice',
  'All dishes in this section are cooked in vegetable oil',
  'Served with salad and chilli sauce',
  'Please ask for our allergen list before you order',
];
const extras = ['Add cheese', 'Extra topping', 'Extra sauce', 'Swap to large chips'];

/** Draws a menu as the seed has it: how many dishes of which names at which prices. */
export function drawMenu(wish: Wish, seed: number): DrawnMenu {
  const random = randomFrom(seed);
  const draw = {
    below: (count: number) => Math.floor(random() * count),
    oneOf: <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!,
  };
  const [least, most] = wish.count;
  const wanted = least + draw.below(most - least + 1);
  const sections = kinds[wish.kind].split('\n').map((line) => readSection(line, random, wish.hasSizes ?? true));
  while (countDishes(sections) > wanted) {
    const { dishes } = draw.oneOf(sections.filter((section) => section.dishes.length > 2));
    dishes.splice(draw.below(dishes.length), 1);
  }
  fillSections(wish, sections, draw);
  const house = 1 + draw.below(180);
  return {
    shop: {
      name: draw.oneOf(shopNames[wish.kind]),
      phone: `01${200 + draw.below(700)} ${100_000 + draw.below(800_000)}`,
      address: `${house} ${draw.oneOf(streets)}, ${draw.oneOf(towns)}`,
      hours: ['Monday - Thursday 4.30pm - 11.00pm', 'Friday & Saturday 16:30 - 23:30', 'Sunday closed'],
      delivery: `Free delivery on orders over £${draw.oneOf([12, 15, 20])}, otherwise £2.50 within 3 miles`,
    },
    sections,
    deals: wish.hasDeals ? [`Any 2 wraps for £${9 + draw.below(4)}.00`, `2 for £${8 + draw.below(5)}`] : [],
  };
}

interface Draw {
  below(count: number): number;
  oneOf<T>(list: readonly T[]): T;
}

function fillSections({ doubts = [], lacksSizes }: Wish, sections: DrawnSection[], { below, oneOf }: Draw): void {
  for (const section of sections) {
    if (below(3) === 0) section.note = oneOf(notes);
    if (below(3) === 0) section.extras.push({ name: oneOf(extras), price: oneOf([50, 60, 80, 100, 150]) });
  }
  const dishes = sections.flatMap((section) => section.dishes);
  let number = 0;
  for (const dish of dishes) {
    const isSecond = number > 0 && below(15) === 0;
    if (!isSecond) number += 1;
    dish.number = isSecond ? `${number}a` : String(number);
    if (below(3) === 0) dish.description = oneOf(descriptions);
    if (lacksSizes && dish.sizes.length > 2 && below(4) === 0) dish.sizes.shift();
  }
  for (const doubt of doubts) {
    const dish = oneOf(dishes.filter((one) => one.sizes.length === 0 && !one.isDoubtful));
    Object.assign(dish, { words: doubtWords(doubt, dish.price ?? 500), price: null, isDoubtful: true });
  }
}

export const countDishes = (sections: readonly DrawnSection[]) =>
  sections.reduce((sum, section) => sum + section.dishes.length, 0);

export function expectedOf(sections: readonly DrawnSection[]): ExpectedDish[] {
  return sections.flatMap((section) =>
    section.dishes.map(({ name, number, category, price, sizes, isDoubtful }) => {
      return { name, number, category, price, sizes, isDoubtful };
    }),
  );
}

/** A price as menus write it: `£7.50`, `7.50`, `7.5`, `7,50`, `750p`. */
export function writePrice(pence: number, style: 'pounds' | 'plain' | 'short' | 'comma' | 'pence'): string {
  const plain = (pence / 100).toFixed(2);
  if (style === 'pounds') return `£${plain}`;
  if (style === 'comma') return plain.replace('.', ',');
  if (style === 'pence') return `${pence}p`;
  return style === 'short' ? String(pence / 100) : plain;
}

/** The text in a dish's place for a price: its price, or the words instead. */
export function priceText(dish: DrawnDish, style: Parameters<typeof writePrice>[1] = 'pounds'): string {
  return dish.price === null ? dish.words : writePrice(dish.price, style);
}

function readSection(line: string, random: () => number, hasSizes: boolean): DrawnSection {
  const [, title = '', chinese = '', low, high, sizes, names = ''] =
    /^(.+?)(?:>(.+?))?: (\d+)-(\d+)(?: \[(.+)\])?: (.+)$/.exec(line)!;
  const sizeNames = hasSizes && sizes ? sizes.split('/') : [];
  const dishes = names.split('|').map((entry): DrawnDish => {
    const [, name = '', mark = '', dishChinese = ''] = /^(.+?)(?: (\(vg?\)))?(?:>(.+))?$/.exec(entry)!;
    const price = drawPrice(Number(low), Number(high), random);
    return {
      name,
      chinese: dishChinese,
      category: title,
      mark: mark as DrawnDish['mark'],
      number: '',
      description: '',
      words: '',
      isDoubtful: false,
      price: sizeNames.length > 0 ? null : price,
      sizes: sizeNames.map((size, index) => ({
        name: size,
        price: price + 150 * index + 50 * Math.floor(random() * 3),
      })),
    };
  });
  return { name: title, chinese, note: '', extras: [], dishes };
}

function drawPrice(low: number, high: number, random: () => number): number {
  const price = low + random() * (high - low);
  return random() < 0.25 ? Math.floor(price / 100) * 100 + 99 : Math.max(50, Math.round(price / 10) * 10);
}

function doubtWords(doubt: Doubt, price: number): string {
  const words = {
    poa: 'POA',
    from: `from ${writePrice(price, 'pounds')}`,
    market: 'Market price',
    range: `${writePrice(price, 'pounds')} - ${writePrice(price + 200, 'pounds')}`,
    missing: '',
    odd: `${Math.floor(price / 100)}.${Math.floor((price % 100) / 10)}.0`,
  };
  return words[doubt];
}
