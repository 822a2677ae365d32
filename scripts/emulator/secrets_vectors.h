// The kinds of rules for instructions on vector and mask registers.

#ifndef KUAIMI_SECRETS_VECTORS_H
#define KUAIMI_SECRETS_VECTORS_H

namespace secrets {

// `element` is the size of the pieces in bytes; with AVX-512, of those that a mask register chooses.
enum Vector : unsigned char {
    // Bits go from one place to another, by a constant: the instruction is done once more, on the marks.
    CARRY,
    // The same, by the last operand, the first after the result, or the result's register, element by element.
    CARRY_BY_LAST, CARRY_BY_FIRST, CARRY_BY_RESULT,
    SHIFT_BY_LAST, // by one number for all elements
    // Bit by bit; an immediate byte, or the kind, is the table of truth.
    BITS, BITS_AND, BITS_AND_NOT, BITS_OR, BITS_XOR,
    // An element of the result depends on all of that element of the operands, the result's register among them or not.
    ELEMENTS, ELEMENTS_OF_OTHERS,
    ELEMENTS_SAME_IS_CONSTANT, // and is a constant where both operands are one register
    WITH_XMM0, // depends on all of xmm0 as well
    FLOATING, // may take longer for some operands
    TEST_VECTOR, // sets flags
    MASK_NOT, MASK_AND, MASK_AND_NOT, MASK_OR, MASK_XOR, MASK_ADD, MASK_TEST, // element: bytes of the mask
    GATHER, SCATTER, MASKED_MOVE, CLEAR_UPPER, CLEAR_VECTORS,
};

} // namespace secrets

#endif
